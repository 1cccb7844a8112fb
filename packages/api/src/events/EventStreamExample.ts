import { eventExamples } from "@switchboard/domain/events/EventExamples"
import { EventId } from "@switchboard/domain/events/EventType"
import { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { serverSentEvent } from "./ServerSentEvents.js"

/** An example of one event in a stream. */
export const eventStreamExample = serverSentEvent({
  id: EventId.make("01a1fc1d-e1a0-7029-814e-d493ca640e3c"),
  type: "email_block.created",
  timestamp: "2026-11-20T09:30:02.000Z",
  organizationId: OrganizationId.make("01a1fc1d-cf8f-76d9-be28-52307925009f"),
  data: eventExamples["email_block.created"]
})
