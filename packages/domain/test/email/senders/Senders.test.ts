import { CreateEmailSender, reputation } from "@switchboard/domain/email/senders/EmailSender"
import { Either, Schema } from "effect"
import { assert, describe, it } from "vitest"

const isValidName = (name: string) =>
  Either.isRight(Schema.decodeUnknownEither(CreateEmailSender)({ email: "ada@example.com", name }))

describe("The reputation of a sender", () => {
  it("is 100 without bounces, complaints or mail", () => {
    assert.strictEqual(reputation({ sent: 0, bounced: 0, complained: 0 }), 100)
    assert.strictEqual(reputation({ sent: 50, bounced: 0, complained: 0 }), 100)
  })

  it("falls by 10 per percent of bounces and by 100 per percent of complaints, to 0 at least", () => {
    assert.strictEqual(reputation({ sent: 100, bounced: 1, complained: 0 }), 90)
    assert.strictEqual(reputation({ sent: 1000, bounced: 0, complained: 1 }), 90)
    assert.strictEqual(reputation({ sent: 1000, bounced: 25, complained: 5 }), 25)
    assert.strictEqual(reputation({ sent: 100, bounced: 0, complained: 2 }), 0)
  })
})

describe("The name of a sender", () => {
  it("is one line without characters that need quoting", () => {
    assert.isTrue(isValidName("Ada Lovelace, Orders & Co."))
    for (const name of ["", "  ", "a\r\nBcc: eve@example.com", "Ada <eve@example.com>", 'Ada "x"', "a".repeat(201)]) {
      assert.isFalse(isValidName(name), JSON.stringify(name))
    }
  })
})
