import { Array, Either, ParseResult, Schema } from "effect"
import { recipientLimit, SendRecipient } from "../../messages/SendRequest.js"
import { EmailAddress } from "../EmailAddress.js"

const decodeAddress = ParseResult.decodeEither(EmailAddress)
const decodeRecipient = ParseResult.decodeEither(SendRecipient)

const entry = [Schema.String, Schema.encodedSchema(SendRecipient)] as const
const Entry = Schema.Union(...entry)
type Entry = typeof Entry.Type

const decodeEntry = (entry: Entry): Either.Either<EmailAddress | SendRecipient, ParseResult.ParseIssue> =>
  typeof entry === "string" ? decodeAddress(entry) : decodeRecipient(entry, { errors: "all" })

const isList = (given: Entry | ReadonlyArray<Entry>): given is ReadonlyArray<Entry> => Array.isArray(given)

const entryJsonSchemas = [
  { type: "string", format: "email", maxLength: 254 },
  { $ref: "#/components/schemas/SendRecipient" }
]

/** One recipient or a list of them. A recipient is an address, or an object as in the recipients of POST /messages. */
export const EmailRecipients = Schema.transformOrFail(
  // One union: a union within a union would add an error of its own.
  Schema.Union(...entry, Schema.Array(Entry)),
  Schema.Array(Schema.typeSchema(Schema.Union(EmailAddress, SendRecipient))),
  {
    strict: true,
    decode: (given, _, ast) => {
      if (!isList(given)) return Either.map(decodeEntry(given), Array.of)
      const [issues, recipients] = Array.partitionMap(given, (entry, index) =>
        Either.mapLeft(decodeEntry(entry), (issue) => new ParseResult.Pointer(index, entry, issue))
      )
      return Array.isNonEmptyArray(issues)
        ? Either.left(new ParseResult.Composite(ast, given, issues))
        : Either.right(recipients)
    },
    encode: ParseResult.succeed
  }
).annotations({
  jsonSchema: {
    anyOf: [
      ...entryJsonSchemas,
      { type: "array", items: { anyOf: entryJsonSchemas }, minItems: 1, maxItems: recipientLimit }
    ],
    description:
      "one email address or a list of them; in place of an address also an object, which takes a display name (an extension)",
    examples: ["ada@example.com", [{ email: "ada@example.com", name: "Ada Lovelace" }]]
  }
})
