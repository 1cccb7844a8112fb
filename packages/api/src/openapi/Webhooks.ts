import { OpenApiJsonSchema } from "@effect/platform"
import { eventEnvelope } from "@switchboard/domain/events/EventCatalog"
import { eventExamples } from "@switchboard/domain/events/EventExamples"
import { type EventType, eventTypes } from "@switchboard/domain/events/EventType"
import { exampleAt, exampleOrganization } from "@switchboard/domain/events/ExampleFacts"
import { eventDescriptions } from "./EventDescriptions.js"

/** `message.sent` as the name of a schema: `MessageSentEvent`. */
const schemaName = (type: EventType) =>
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
  header("webhook-id", "The event's id, the same over all attempts: what came before can be told by it", exampleId),
  header("webhook-timestamp", "When this attempt was made, in seconds since 1970", "1795167000"),
  header(
    "webhook-signature",
    "`v1,` and the HMAC-SHA256 of `id.timestamp.body` in base64; several with blanks between them while a secret is replaced (Standard Webhooks)",
    "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="
  )
]

const responses = {
  "2XX": { description: "The event was taken. Whatever else is answered within 15 seconds, it is sent again later." },
  "410": { description: "The endpoint is gone: it is disabled." }
}

/** The requests that the service sends, one webhook for each event (OpenAPI 3.1), and their schemas. */
export const describeWebhooks = () => {
  const schemas: Record<string, OpenApiJsonSchema.JsonSchema> = {}
  const webhooks = Object.fromEntries(
    eventTypes.map((type) => {
      const envelope = eventEnvelope(type).annotations({ identifier: schemaName(type) })
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
        summary: type,
        description: eventDescriptions[type],
        security: [],
        parameters,
        requestBody: { required: true, content: { "application/json": { schema, example } } },
        responses
      }
      return [type, { post }]
    })
  )
  return { schemas, webhooks }
}
