import { Subscription } from "@switchboard/domain/events/EventType"
import { Array, ParseResult, Schema } from "effect"

const isSubscription = Schema.is(Subscription)

/** The query parameter `types`: what a stream tells, as webhooks subscribe to it, with commas. */
export const EventTypes = Schema.transformOrFail(Schema.String, Schema.Array(Subscription), {
  strict: true,
  decode: (text, _, ast) => {
    const names = text.split(",").map((name) => name.trim())
    const [unknown, known] = Array.partition(names, isSubscription)
    return unknown[0] === undefined
      ? ParseResult.succeed(known)
      : ParseResult.fail(
          new ParseResult.Type(ast, text, `must be names of events with commas, which "${unknown[0]}" is not`)
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
