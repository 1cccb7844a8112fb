import { IdempotencyKey } from "@switchboard/domain/messages/SendRequest"
import { Option, ParseResult, Schema } from "effect"

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })

const beyondLatin1 = /[^\0-\xff]/

/** What a header's octets say as UTF-8: HTTP hands them over as Latin-1, one character an octet. */
const textOf = (header: string): Option.Option<string> =>
  beyondLatin1.test(header)
    ? Option.none()
    : Option.liftThrowable((octets: Uint8Array) => utf8.decode(octets))(
        Uint8Array.from(header, (character) => character.charCodeAt(0))
      )

const octetsOf = (text: string): string =>
  Array.from(new TextEncoder().encode(text), (octet) => String.fromCharCode(octet)).join("")

/** An idempotency key as the header carries it: the same key as in a body of the same octets. */
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
