import { assert, describe, it } from "@effect/vitest"
import { EmailAddress } from "@switchboard/domain/email/EmailAddress"
import { normalizedPhone, normalizedWhatsAppId } from "@switchboard/services/participants/NormalizedPhone"
import { wantedAddresses, withAddresses } from "@switchboard/services/participants/WantedAddresses"
import { Effect, Option, Schema } from "effect"

describe("The addresses of a participant", () => {
  it("are phone numbers in one form, however they are written", () => {
    for (const text of ["+49 30 123456", "+4930123456", "+49 (0)30 / 123456", "+49-30-123456"]) {
      assert.deepStrictEqual(normalizedPhone(text), Option.some("+4930123456"), text)
    }
    assert.deepStrictEqual(normalizedWhatsAppId("4930123456"), Option.some("+4930123456"))
    assert.deepStrictEqual(normalizedWhatsAppId("+49 30 123456"), Option.some("+4930123456"))
    assert.deepStrictEqual(normalizedPhone("+1 555 123 4567"), Option.some("+15551234567"))
  })

  it("are none where no country has such a number, or it says more than that", () => {
    for (const text of [
      "030 123456",
      "12345",
      "+1",
      "+999 123456789",
      "call +49 30 123456",
      "+49 30 123456 ext. 7",
      "Ada"
    ]) {
      assert.deepStrictEqual(normalizedPhone(text), Option.none(), text)
    }
    assert.deepStrictEqual(normalizedWhatsAppId("0049"), Option.none())
  })

  it.effect("replace those of their kind, stay, or are taken away", () =>
    Effect.gen(function* () {
      const email = Schema.decodeSync(EmailAddress)("Ada@Example.com")
      const wanted = yield* wantedAddresses({ email, phone: null })
      const before = { email: ["a@example.com", "b@example.com"], phone: ["+4930123456"], whatsapp: ["+4930123456"] }
      assert.deepStrictEqual(withAddresses(before, wanted), { email: ["ada@example.com"], whatsapp: ["+4930123456"] })
      assert.deepStrictEqual(withAddresses({}, yield* wantedAddresses({})), {})
    })
  )

  it.effect("are all told that are wrong", () =>
    Effect.gen(function* () {
      const { fields = {} } = yield* Effect.flip(wantedAddresses({ phone: "1", whatsappId: "x" }))
      assert.deepStrictEqual(Object.keys(fields), ["phone", "whatsappId"])
    })
  )
})
