import { OpenApiJsonSchema } from "@effect/platform"
import { eventEnvelope } from "@switchboard/domain/events/EventCatalog"
import { eventExamples } from "@switchboard/domain/events/EventExamples"
import { type EventType, eventTypes } from "@switchboard/domain/events/EventType"
import { exampleAt, exampleOrganization } from "@switchboard/domain/events/ExampleData"
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
