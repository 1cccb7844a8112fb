import { assert, describe, it } from "@effect/vitest"
import { EmailAddress } from "@switchboard/domain/email/EmailAddress"
import {
  normalizedAddresses,
  normalizedPhone,
  normalizedWhatsAppId,
  withAddresses
} from "@switchboard/services/participants/Participants"
import { Effect, Option, Schema } from "effect"

describe("The addresses of a participant", () => {
  it("are normalized to E.164 phone numbers", () => {
    for (const text of ["+49 30 123456", "+4930123456", "+49 (0)30 / 123456", "+49-30-123456"]) {
      assert.deepStrictEqual(normalizedPhone(text), Option.some("+4930123456"), text)
    }
    assert.deepStrictEqual(normalizedWhatsAppId("4930123456"), Option.some("+4930123456"))
    assert.deepStrictEqual(normalizedWhatsAppId("+49 30 123456"), Option.some("+4930123456"))
    assert.deepStrictEqual(normalizedPhone("+1 555 123 4567"), Option.some("+15551234567"))
  })

  it("reject texts that are not exactly one valid international number", () => {
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

  it.effect("replace addresses of the same kind and remove those set to null", () =>
    Effect.gen(function* () {
      const email = Schema.decodeSync(EmailAddress)("Ada@Example.com")
      const requested = yield* normalizedAddresses({ email, phone: null })
      const before = { email: ["a@example.com", "b@example.com"], phone: ["+4930123456"], whatsapp: ["+4930123456"] }
      assert.deepStrictEqual(withAddresses(before, requested), {
        email: ["ada@example.com"],
        whatsapp: ["+4930123456"]
      })
      assert.deepStrictEqual(withAddresses({}, yield* normalizedAddresses({})), {})
    })
  )

  it.effect("are all validated, with one error per field", () =>
    Effect.gen(function* () {
      const { fields = {} } = yield* Effect.flip(normalizedAddresses({ phone: "1", whatsappId: "x" }))
      assert.deepStrictEqual(Object.keys(fields), ["phone", "whatsappId"])
    })
  )
})
