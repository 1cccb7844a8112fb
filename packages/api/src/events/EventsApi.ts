import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "@effect/platform"
import { EventId, Subscription } from "@switchboard/domain/events/EventType"
import { Array, ParseResult, Schema } from "effect"
import { Extension, Permission } from "../Annotations.js"
import { Authorization } from "../Authorization.js"

const isSubscription = Schema.is(Subscription)

/** The query parameter `types`: event subscriptions, as of webhooks, separated by commas. */
const EventTypes = Schema.transformOrFail(Schema.String, Schema.Array(Subscription), {
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

/** The media type of server-sent events (HTML standard). */
export const eventStreamType = "text/event-stream"

/** A stream of server-sent events. */
export const EventStreamText = HttpApiSchema.Text({ contentType: eventStreamType }).annotations({
  description: "an endless stream of server-sent events"
})

/** The event stream. */
export class EventsApi extends HttpApiGroup.make("events")
  .add(
    HttpApiEndpoint.get("stream", "/events")
      .setHeaders(Schema.Struct({ "last-event-id": Schema.optional(EventId) }))
      .setUrlParams(Schema.Struct({ lastEventId: Schema.optional(EventId), types: Schema.optional(EventTypes) }))
      .addSuccess(EventStreamText)
      .annotate(Permission, "webhooks.read")
      .annotate(Extension, true)
      .annotate(OpenApi.Summary, "Stream events")
      .annotate(
        OpenApi.Description,
        [
          "Server-sent events of the organization, in order and without gaps. `id` is the id of the event, `event` its type, `data` the JSON that webhooks post.",
          "",
          "- The stream starts now, or after the event of `Last-Event-ID`.",
          "- A comment is sent every 15 seconds.",
          "- The stream ends when the process stops, or the API key or the session ends. Reconnect with the last `id`.",
          "- At most 20 streams per organization and process (429)."
        ].join("\n")
      )
  )
  .middleware(Authorization)
  .annotate(OpenApi.Title, "Events") {}
