import { OpenApiJsonSchema } from "@effect/platform"
import { eventEnvelope } from "@switchboard/domain/events/EventCatalog"
import { eventExamples } from "@switchboard/domain/events/EventExamples"
import { type EventType, eventTypes } from "@switchboard/domain/events/EventType"
import { exampleAt, exampleOrganization } from "@switchboard/domain/events/ExampleData"
import { Record } from "effect"
import { describeFields } from "./DescribeFields.js"

/** The occasion of each event. */
export const eventDescriptions: Readonly<Record<EventType, string>> = {
  "message.created": "A message was accepted.",
  "message.pending": "A scheduled message became due.",
  "message.scheduled": "A message was accepted for a later time.",
  "message.queued": "An attempt failed temporarily. The message waits for its next attempt.",
  "message.processing": "An attempt to send a message began. A result within half a second is published together.",
  "message.sent": "The provider took a message for at least one recipient.",
  "message.delivered": "A message reached a recipient's mailbox.",
  "message.read": "A recipient opened a message.",
  "message.clicked": "A recipient followed a tracked link. The last one of `clicks` is the click.",
  "message.failed": "A message failed: it was rejected for all recipients, cancelled, or too old.",
  "message.bounced": "The recipients' server rejected a message permanently.",
  "message.complained": "A recipient reported a message as unwanted.",
  "message.received": "A message was received.",
  "message.deleted": "The record of a message was deleted.",
  "email_domain.created": "A domain was added.",
  "email_domain.verified": "The DNS records of a domain were found. It can send.",
  "email_domain.degraded": "DNS records of a domain are missing. It can send for 72 more hours.",
  "email_domain.failed": "DNS records of a domain stayed missing. It can no longer send.",
  "email_domain.paused": "Mail from a domain waits until it is resumed: `pause` has the reason.",
  "email_domain.resumed": "The pause of a domain ended. Its waiting mail is sent.",
  "email_domain.deleted": "A domain was deleted.",
  "email_sender.created": "A sender was added.",
  "email_sender.verified": "A sender was verified.",
  "email_sender.deleted": "A sender was deleted.",
  "email_block.created": "An address or a domain was blocked.",
  "email_block.deleted": "A block was deleted.",
  "conversation.created": "A conversation was created.",
  "conversation.updated": "A conversation changed.",
  "conversation.resolved": "A conversation was resolved.",
  "conversation.reopened": "A resolved or archived conversation became active again.",
  "conversation.participant_added": "A participant joined a conversation.",
  "conversation.participant_removed": "A participant left a conversation.",
  "api_key.created": "An API key was created. The event does not contain it.",
  "api_key.rotated": "An API key got a new value. The event does not contain it.",
  "api_key.deleted": "An API key was deleted.",
  "call.started": "A call began to ring.",
  "call.answered": "A call was answered.",
  "call.ended": "A call ended.",
  "call.failed": "A call failed.",
  "recording.ready": "The recording of a call is available.",
  "transcript.ready": "The transcript of a call is available.",
  "webhook_endpoint.test": "A webhook endpoint is tested.",
  "webhook_endpoint.disabled":
    "An endpoint was disabled, after a 410 or five days of failures. The other endpoints are notified.",
  "organization.updated": "The organization changed.",
  "organization.usage_exceeded": "The organization reached the limit of its plan for this month. Sent once a month."
}

/** The schema name of an event type: `MessageSentEvent` for `message.sent`. */
export const eventSchemaName = (type: EventType) =>
  `${type.replace(/(?:^|[._])([a-z])/g, (_, letter: string) => letter.toUpperCase())}Event`

const exampleId = "01a1fc1d-e2c4-7c1e-8a55-0d2b7f3e9a61"

const header = (name: string, description: string, example: string) => ({
  name,
  in: "header",
  required: true,
  description,
  schema: { type: "string" },
  example
})

const parameters = {
  "webhook-id": header(
    "webhook-id",
    "Id of the event, the same for all attempts. Use it to detect repeats.",
    exampleId
  ),
  "webhook-timestamp": header(
    "webhook-timestamp",
    "Time of this attempt, in seconds since 1970-01-01 (Unix time).",
    "1795167000"
  ),
  "webhook-signature": header(
    "webhook-signature",
    "`v1,` and the HMAC-SHA256 of `id.timestamp.body` in base64 (Standard Webhooks). While secrets are replaced: several signatures, separated by spaces.",
    "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="
  )
}

const responses = {
  EventReceived: {
    description: "The event was received. Any other response, or none within 15 seconds, causes a retry."
  },
  EndpointGone: { description: "The endpoint no longer exists. The service disables it." }
}

/** The webhooks of the OpenAPI document, one for each event type, and their schemas. */
export const describeWebhooks = () => {
  const schemas: { [name: string]: OpenApiJsonSchema.JsonSchema } = {}
  const webhooks = Object.fromEntries(
    eventTypes.map((type) => {
      const envelope = eventEnvelope(type).annotations({ identifier: eventSchemaName(type) })
      const schema = OpenApiJsonSchema.makeWithDefs(envelope, { defs: schemas, defsPath: "#/components/schemas/" })
      const example = {
        id: exampleId,
        type,
        timestamp: exampleAt,
        organizationId: exampleOrganization,
        data: eventExamples[type]
      }
      const post = {
        tags: ["Events"],
        operationId: type,
        summary: `Receive ${type}`,
        description: eventDescriptions[type],
        security: [],
        parameters: Object.keys(parameters).map((name) => ({ $ref: `#/components/parameters/${name}` })),
        requestBody: { required: true, content: { "application/json": { schema, example } } },
        responses: {
          "2XX": { $ref: "#/components/responses/EventReceived" },
          "410": { $ref: "#/components/responses/EndpointGone" }
        }
      }
      return [type, { post }]
    })
  )
  return {
    parameters,
    responses,
    schemas: Record.map(schemas, (schema, name) => describeFields(name, schema)),
    webhooks
  }
}
