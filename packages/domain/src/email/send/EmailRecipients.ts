import { Array, Either, ParseResult, Schema } from "effect"
import { SendRecipient } from "../../messages/SendRecipient.js"
import { recipientLimit } from "../../messages/SendRequest.js"
import { oneOf } from "../../OneOf.js"
import { EmailAddress } from "../EmailAddress.js"

const decodeAddress = ParseResult.decodeEither(EmailAddress)
const decodeRecipient = ParseResult.decodeEither(SendRecipient)

const entry = [Schema.String, Schema.encodedSchema(SendRecipient)] as const
const Entry = Schema.Union(...entry)
type Entry = typeof Entry.Type

const decodeEntry = (entry: Entry): Either.Either<EmailAddress | SendRecipient, ParseResult.ParseIssue> =>
  typeof entry === "string" ? decodeAddress(entry) : decodeRecipient(entry, { errors: "all" })

const isList = (value: Entry | ReadonlyArray<Entry>): value is ReadonlyArray<Entry> => Array.isArray(value)

const { oneOf: entries, ...definitions } = oneOf(EmailAddress, SendRecipient)

/** One recipient or a list of recipients. A recipient is an address, or an object as in POST /messages. */
export const EmailRecipients = Schema.transformOrFail(
  // A single union: a nested union would add its own error.
  Schema.Union(...entry, Schema.Array(Entry)),
  Schema.Array(Schema.typeSchema(Schema.Union(EmailAddress, SendRecipient))),
  {
    strict: true,
    decode: (value, _, ast) => {
      if (!isList(value)) return Either.map(decodeEntry(value), Array.of)
      const [issues, recipients] = Array.partitionMap(value, (entry, index) =>
        Either.mapLeft(decodeEntry(entry), (issue) => new ParseResult.Pointer(index, entry, issue))
      )
      return Array.isNonEmptyArray(issues)
        ? Either.left(new ParseResult.Composite(ast, value, issues))
        : Either.right(recipients)
    },
    encode: ParseResult.succeed
  }
).annotations({
  jsonSchema: {
    ...definitions,
    oneOf: [...entries, { type: "array", items: { oneOf: entries }, minItems: 1, maxItems: recipientLimit }],
    description: "one email address or a list; an object instead of an address has a display name (an extension)",
    examples: ["ada@example.com", [{ email: "ada@example.com", name: "Ada Lovelace" }]]
  }
})
