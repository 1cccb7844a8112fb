import { MessageId } from "@switchboard/domain/messages/Message"
import { Uuid } from "@switchboard/domain/Uuid"
import { Either, Schema } from "effect"
import { assert, describe, it } from "vitest"

const decode = Schema.decodeUnknownEither(Uuid)
const id = "01890a5d-ac96-774b-bcce-b302099a8057"

describe("A UUID", () => {
  it.each([id, id.toUpperCase(), "01890A5d-ac96-774b-bcce-B302099a8057"])("is decoded to lower case: %s", (text) => {
    assert.deepStrictEqual(decode(text), Either.right(id))
    assert.strictEqual(Schema.decodeUnknownSync(MessageId)(text), id)
  })

  it("accepts the nil UUID", () => {
    assert.isTrue(Either.isRight(decode("00000000-0000-0000-0000-000000000000")))
  })

  it.each([
    "",
    "5",
    `${id}0`,
    `{${id}}`,
    `${id}\n`,
    id.replaceAll("-", ""),
    "01890a5d-ac96-974b-bcce-b302099a8057",
    "01890a5d-ac96-774b-ccce-b302099a8057",
    "ffffffff-ffff-ffff-ffff-ffffffffffff",
    "01890a5d-ac96-774b-bcce-b302099a805g"
  ])("rejects %j", (text) => {
    assert.isTrue(Either.isLeft(decode(text)))
  })

  it("requires lower case in decoded values", () => {
    assert.isFalse(Schema.is(Uuid)(id.toUpperCase()))
  })
})
