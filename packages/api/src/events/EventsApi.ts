import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "@effect/platform"
import { EventId } from "@switchboard/domain/events/EventType"
import { Schema } from "effect"
import { Extension, Permission } from "../Annotations.js"
import { Authorization } from "../Authorization.js"
import { EventTypes } from "./EventTypes.js"

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
