import { OpenApiJsonSchema } from "@effect/platform"
import { eventEnvelope } from "@switchboard/domain/events/EventCatalog"
import { eventExamples } from "@switchboard/domain/events/EventExamples"
import { type EventType, eventTypes } from "@switchboard/domain/events/EventType"
import { exampleAt, exampleOrganization } from "@switchboard/domain/events/ExampleFacts"
import { Record } from "effect"
import { describeFields } from "./DescribeFields.js"
import { eventDescriptions } from "./EventDescriptions.js"

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

const parameters = [
  header("webhook-id", "Id of the event, the same for all attempts. Use it to detect repeats.", exampleId),
  header("webhook-timestamp", "Time of this attempt, in seconds since 1970-01-01 (Unix time).", "1795167000"),
  header(
    "webhook-signature",
    "`v1,` and the HMAC-SHA256 of `id.timestamp.body` in base64 (Standard Webhooks). While a secret is replaced: two signatures, separated by a space.",
    "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="
  )
]

const responses = {
  "2XX": { description: "The event was received. Any other response, or none within 15 seconds, causes a retry." },
  "410": { description: "The endpoint no longer exists. The service disables it." }
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
        parameters,
        requestBody: { required: true, content: { "application/json": { schema, example } } },
        responses
      }
      return [type, { post }]
    })
  )
  return { schemas: Record.map(schemas, (schema, name) => describeFields(name, schema)), webhooks }
}
