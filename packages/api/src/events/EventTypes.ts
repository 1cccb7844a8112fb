import { Subscription } from "@switchboard/domain/events/EventType"
import { Array, ParseResult, Schema } from "effect"

const isSubscription = Schema.is(Subscription)

/** The query parameter `types`: event subscriptions, as of webhooks, separated by commas. */
export const EventTypes = Schema.transformOrFail(Schema.String, Schema.Array(Subscription), {
  strict: true,
  decode: (text, _, ast) => {
    const names = text.split(",").map((name) => name.trim())
    const [unknown, known] = Array.partition(names, isSubscription)
    return unknown[0] === undefined
      ? ParseResult.succeed(known)
      : ParseResult.fail(
          new ParseResult.Type(ast, text, `must be event types separated by commas; "${unknown[0]}" is none`)
        )
  },
  encode: (names) => ParseResult.succeed(names.join(","))
}).annotations({
  description: "event types separated by commas",
  jsonSchema: {
    type: "string",
    description: "event types, groups like `message.*`, or `*`, separated by commas",
    examples: ["message.*,email_block.created"]
  }
})
