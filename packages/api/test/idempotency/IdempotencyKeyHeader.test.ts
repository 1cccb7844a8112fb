import { IdempotencyKeyHeader } from "@switchboard/api/idempotency/IdempotencyKeyHeader"
import { Either, Schema } from "effect"
import { assert, describe, it } from "vitest"

const decode = Schema.decodeUnknownEither(IdempotencyKeyHeader)

describe("IdempotencyKeyHeader", () => {
  it.each(["order-1815", "Bestellung-ü", "訂單", "😀", "\ufeffa"])("encodes and decodes %j", (key) => {
    const header = Schema.encodeSync(IdempotencyKeyHeader)(key)
    assert.strictEqual(header, Buffer.from(key, "utf8").toString("latin1"))
    assert.deepStrictEqual(decode(header), Either.right(key))
  })

  it.each(["\u00fc", "\u00c0\u00af", "\u8a02", ""])("rejects %j", (header) => {
    assert.isTrue(Either.isLeft(decode(header)))
  })
})
