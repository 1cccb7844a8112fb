import { assert, describe, it } from "@effect/vitest"
import { optOutWord } from "@switchboard/domain/sms/OptOut"
import { NumberChannels, PhoneNumber, SenderId } from "@switchboard/domain/sms/SmsNumber"
import { Schema } from "effect"

describe("A sender id", () => {
  const isSenderId = Schema.is(SenderId)

  it("is a number in E.164, a short code, or a GSM name with a letter", () => {
    const accepted = [
      "+4930123456",
      "+1555010",
      "+123456789012345",
      "123",
      "12345678",
      "Ada GmbH",
      "A",
      "ABCDEFGHIJK",
      "4ever",
      "Ünïté".replace("ï", "i"),
      "ΔΣ 1",
      "a-b_c@d/e+f"
    ]
    assert.deepStrictEqual(accepted.filter(isSenderId), accepted)
  })

  it("is not a number without plus, a name of 12 characters or a code of 2 digits", () => {
    const refused = [
      "",
      "4930123456",
      "12",
      "123456789",
      "+0301234567",
      "+123456",
      "+1234567890123456",
      "ABCDEFGHIJKL",
      "!?",
      "Naïve",
      "Adá",
      "日本",
      "Ada\n",
      "A\r",
      "A^",
      "A€",
      "A[b]"
    ]
    assert.deepStrictEqual(refused.filter(isSenderId), [])
  })
})

describe("A phone number", () => {
  it("has a plus and 7 to 15 digits", () => {
    const isPhone = Schema.is(PhoneNumber)
    const accepted = ["+4930123456", "+1234567", "+123456789012345"]
    assert.deepStrictEqual(accepted.filter(isPhone), accepted)
    const refused = [
      "4930123456",
      "+123456",
      "+1234567890123456",
      "+49 30 123456",
      "+49abc1234",
      "+0123456789",
      "12345"
    ]
    assert.deepStrictEqual(refused.filter(isPhone), [])
  })
})

describe("The channels of a number", () => {
  it("are at least one of three, each once", () => {
    const areChannels = Schema.is(NumberChannels)
    assert.isTrue(areChannels(["sms", "whatsapp", "voice"]))
    for (const refused of [[], ["email"], ["sms", "sms"]]) assert.isFalse(areChannels(refused))
  })
})

describe("An opt-out word", () => {
  it("is the complete text, in any case, without the white space around it", () => {
    for (const text of ["STOP", "stop", " StopAll\r\n", "Unsubscribe", "cancel", "\tEND", "quit\u00a0"]) {
      assert.strictEqual(optOutWord(text), "stop", text)
    }
    for (const text of ["START", " unstop "]) assert.strictEqual(optOutWord(text), "start", text)
    for (const text of ["", "STOP it", "STOP.", "STOP STOP", "please stop", "constructor", "yes"]) {
      assert.isNull(optOutWord(text), text)
    }
  })
})
