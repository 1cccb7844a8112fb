import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { transportTo } from "../Fixtures.js"
import { type Script, scriptedRelay } from "../ScriptedRelay.js"

const probe = (script: Script, credentials = "") =>
  Effect.gen(function* () {
    const relay = yield* scriptedRelay(script)
    const url = `smtp://${credentials}127.0.0.1:${relay.port}`
    const transport = yield* transportTo(relay.port, { url })
    assert.strictEqual(transport.relay, `127.0.0.1:${relay.port}`)
    return yield* transport.probe
  })

const takesPasswords = "250-relay.test\r\n250-size 1000\r\n250 AUTH PLAIN"

describe("The probe of a relay", () => {
  it.scoped("says which extensions the relay offers", () =>
    Effect.gen(function* () {
      const { extensions } = yield* probe({ EHLO: takesPasswords }, "shop:s3cret@")
      assert.deepStrictEqual(extensions, ["SIZE 1000", "AUTH PLAIN"])
    })
  )

  const failures: ReadonlyArray<readonly [string, Script]> = [
    ["hangs up before its greeting", { greeting: "drop" }],
    ["sends us away", { greeting: "554 No" }],
    ["hangs up at EHLO", { EHLO: "drop" }],
    ["refuses the password", { EHLO: takesPasswords, AUTH: "535 5.7.8 Wrong" }],
    ["hangs up at the password", { EHLO: takesPasswords, AUTH: "drop" }]
  ]
  for (const [what, script] of failures) {
    it.scoped(`fails when the relay ${what}`, () =>
      Effect.gen(function* () {
        const failure = yield* Effect.flip(probe(script, "shop:s3cret@"))
        assert.strictEqual(failure._tag, "RelayUnavailable")
        assert.notInclude(failure.response, "s3cret")
      })
    )
  }
})
