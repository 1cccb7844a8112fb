import { IdempotencyKey } from "@switchboard/domain/messages/IdempotencyKey"
import { Option, ParseResult, Schema } from "effect"

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })

const beyondLatin1 = /[^\0-\xff]/

/** Decodes a header as UTF-8. Node.js decodes headers as Latin-1, one character per byte. */
const textOf = (header: string): Option.Option<string> =>
  beyondLatin1.test(header)
    ? Option.none()
    : Option.liftThrowable((octets: Uint8Array) => utf8.decode(octets))(
        Uint8Array.from(header, (character) => character.charCodeAt(0))
      )

const octetsOf = (text: string): string =>
  Array.from(new TextEncoder().encode(text), (octet) => String.fromCharCode(octet)).join("")

/** An idempotency key in a header: UTF-8, so that it equals a key with the same bytes in a body. */
export const IdempotencyKeyHeader = Schema.transformOrFail(Schema.String, IdempotencyKey, {
  strict: true,
  decode: (header, _, ast) =>
    Option.match(textOf(header), {
      onNone: () => ParseResult.fail(new ParseResult.Type(ast, header, "must be UTF-8")),
      onSome: ParseResult.succeed
    }),
  encode: (key) => ParseResult.succeed(octetsOf(key))
}).annotations({
  description: "an idempotency key in UTF-8",
  jsonSchema: { type: "string", minLength: 1, maxLength: 255, description: "an idempotency key in UTF-8" }
})

/** The headers of an operation that takes an idempotency key. */
export const IdempotencyHeaders = Schema.Struct({ "idempotency-key": Schema.optional(IdempotencyKeyHeader) })
