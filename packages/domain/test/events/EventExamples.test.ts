import { assert, describe, it } from "@effect/vitest"
import { eventData, eventEnvelope } from "@switchboard/domain/events/EventCatalog"
import { eventExamples } from "@switchboard/domain/events/EventExamples"
import { eventTypes } from "@switchboard/domain/events/EventType"
import { exampleAt, exampleOrganization } from "@switchboard/domain/events/ExampleData"
import { Schema } from "effect"

const schemas: Record<string, Schema.Schema.AnyNoContext> = eventData

describe("The example of an event", () => {
  it.each(eventTypes)("of type %s encodes to itself", (type) => {
    const schema = schemas[type] ?? assert.fail(`${type} has no schema`)
    const example = eventExamples[type]
    const decoded = Schema.decodeUnknownSync(schema, { onExcessProperty: "error", errors: "all" })(example)
    assert.deepStrictEqual(Schema.encodeSync(schema)(decoded), example)
  })

  it("is valid in its envelope", () => {
    const envelope = {
      id: exampleOrganization,
      type: "message.sent",
      timestamp: exampleAt,
      organizationId: exampleOrganization,
      data: eventExamples["message.sent"]
    }
    assert.strictEqual(Schema.decodeUnknownSync(eventEnvelope("message.sent"))(envelope).data.status, "sent")
  })
})
