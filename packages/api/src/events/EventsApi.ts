import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "@effect/platform"
import { EventId } from "@switchboard/domain/events/EventType"
import { Schema } from "effect"
import { Examples, Extension, Permission } from "../Annotations.js"
import { Authorization } from "../Authorization.js"
import { eventStreamExample } from "./EventStreamExample.js"
import { EventTypes } from "./EventTypes.js"

/** What a stream of events is called on the wire. */
export const eventStreamType = "text/event-stream"

/** Server-sent events, in the form of the HTML standard. */
export const EventStreamText = HttpApiSchema.Text({ contentType: eventStreamType }).annotations({
  description: "server-sent events, without end"
})

/** What happens, as it happens. */
export class EventsApi extends HttpApiGroup.make("events")
  .add(
    HttpApiEndpoint.get("stream", "/events")
      .setHeaders(Schema.Struct({ "last-event-id": Schema.optional(EventId) }))
      .setUrlParams(Schema.Struct({ lastEventId: Schema.optional(EventId), types: Schema.optional(EventTypes) }))
      .addSuccess(EventStreamText)
      .annotate(Permission, "webhooks.read")
      .annotate(Extension, true)
      .annotate(OpenApi.Summary, "Follow events")
      .annotate(
        OpenApi.Description,
        "An extension. Server-sent events of the organization, in one order and without a gap: `id` is the event's, `event` its type, `data` the JSON that webhooks post. It begins now, or after the event that `Last-Event-ID` names (`lastEventId` for those who can't set headers; the header wins); all zeros name the time before the oldest event that is kept. A comment comes every 15 seconds. It ends when the process stops and when the key does: come again with the last `id`. At most 20 streams an organization at a time on one process (429)."
      )
  )
  .middleware(Authorization)
  .annotate(Examples, { "events.stream": { response: eventStreamExample } })
  .annotate(OpenApi.Title, "Events") {}
