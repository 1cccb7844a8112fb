import { assert, it } from "@effect/vitest"
import { headers } from "@switchboard/server/settings/SettingValues"
import { Either, Redacted } from "effect"

it("Headers are read with percent-encoded values, and refused without repeating them", () => {
  assert.deepStrictEqual(
    Either.map(headers("Authorization = Basic%20dTpw==, x-tenant=a%2Cb"), Redacted.value),
    Either.right({ authorization: "Basic dTpw==", "x-tenant": "a,b" })
  )
  for (const text of ["sk_secret", "=sk_secret", "a b=sk_secret", "a=sk_secret%0d%0ab", "a=%sk_secret"]) {
    const refused = Either.getOrThrow(Either.flip(headers(text)))
    assert.match(refused, /^must be headers with percent-encoded values/)
    assert.notInclude(refused, "sk_secret")
  }
})
