import { assert, describe, it } from "@effect/vitest"
import { Api } from "@switchboard/api"
import { operationExamples } from "@switchboard/api/openapi/OperationExamples"
import { toPlain } from "@switchboard/client/promise/PlainValue"
import { ForbiddenError } from "@switchboard/domain/Errors"
import { eventEnvelope } from "@switchboard/domain/events/EventCatalog"
import { eventExamples } from "@switchboard/domain/events/EventExamples"
import { eventTypes } from "@switchboard/domain/events/EventType"
import { Predicate, Schema } from "effect"
import { v7 } from "uuid"

/** The values of an object that are neither JSON nor a date. */
const others = (value: unknown): ReadonlyArray<unknown> => {
  if (!Predicate.isObject(value) || value instanceof Date) return []
  const prototype: unknown = Object.getPrototypeOf(value)
  if (prototype !== Object.prototype && prototype !== Array.prototype) return [value]
  return Object.values(value).flatMap(others)
}

describe("a plain value", () => {
  it("is JSON with dates, and has the JSON of every response and event of the API", () => {
    const responses = Object.entries(Api.groups).flatMap(([group, { endpoints }]) =>
      Object.entries(endpoints).flatMap(([name, { successSchema }]) => {
        const json = operationExamples[`${group}.${name}`]?.response
        return Predicate.isRecord(json) ? [{ schema: successSchema, json }] : []
      })
    )
    const events = eventTypes.map((type) => ({
      schema: eventEnvelope(type),
      json: {
        id: v7(),
        type,
        timestamp: "2030-01-01T00:00:00.000Z",
        organizationId: v7(),
        data: eventExamples[type]
      }
    }))
    assert.isAbove(responses.length, 80)
    for (const { json, schema } of [...responses, ...events]) {
      const plain = toPlain(Schema.decodeUnknownSync(Schema.make(schema.ast))(json))
      assert.deepStrictEqual(others(plain), [])
      assert.deepStrictEqual(JSON.parse(JSON.stringify(plain)), JSON.parse(JSON.stringify(json)))
    }
  })

  it("keeps errors and bytes, and fields with any name", () => {
    const error = new ForbiddenError({ message: "No" })
    const bytes = new Uint8Array([1])
    const json: unknown = JSON.parse('{"__proto__":{"a":1},"none":null}')
    assert.deepStrictEqual(toPlain({ error, bytes, json }), { error, bytes, json })
    assert.strictEqual(toPlain({ error }).error, error)
  })
})
