import { Array, Either, ParseResult, Schema } from "effect"
import { EmailAddress } from "../EmailAddress.js"

const decode = ParseResult.decodeEither(EmailAddress)

/** One address, or a list of them. What is wrong is said of the address, where it stands. */
export const EmailAddresses = Schema.transformOrFail(
  Schema.Union(Schema.String, Schema.Array(Schema.String)),
  Schema.Array(Schema.typeSchema(EmailAddress)),
  {
    strict: true,
    decode: (given, _, ast) => {
      if (typeof given === "string") return Either.map(decode(given), Array.of)
      const [issues, addresses] = Array.partitionMap(given, (text, index) =>
        Either.mapLeft(decode(text), (issue) => new ParseResult.Pointer(index, text, issue))
      )
      return Array.isNonEmptyArray(issues)
        ? Either.left(new ParseResult.Composite(ast, given, issues))
        : Either.right(addresses)
    },
    encode: ParseResult.succeed
  }
).annotations({
  jsonSchema: {
    anyOf: [
      { type: "string", format: "email", maxLength: 254 },
      { type: "array", items: { type: "string", format: "email", maxLength: 254 }, minItems: 1, maxItems: 50 }
    ],
    description: "one email address, or a list of them",
    examples: ["ada@example.com"]
  }
})
