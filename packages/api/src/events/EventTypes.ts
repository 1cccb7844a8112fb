import { Subscription } from "@switchboard/domain/events/EventType"
import { Either, ParseResult, Schema } from "effect"

const decode = Schema.decodeUnknownEither(Schema.Array(Subscription))

/** The query parameter `types`: what a stream tells, as webhooks subscribe to it, with commas. */
export const EventTypes = Schema.transformOrFail(Schema.String, Schema.Array(Schema.String), {
  strict: true,
  decode: (text, _, ast) => {
    const names = text.split(",").map((name) => name.trim())
    const unknown = names.find((name) => Either.isLeft(decode([name])))
    return unknown === undefined
      ? ParseResult.succeed(names)
      : ParseResult.fail(
          new ParseResult.Type(ast, text, `must be names of events with commas, which "${unknown}" is not`)
        )
  },
  encode: (names) => ParseResult.succeed(names.join(","))
}).annotations({
  description: "names of events with commas",
  jsonSchema: {
    type: "string",
    description:
      "the types of events to tell, with commas: names, groups like `message.*`, or `*`; everything without it",
    examples: ["message.*,email_block.created"]
  }
})
