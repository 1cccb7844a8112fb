import { assert, layer } from "@effect/vitest"
import { beforeAllEvents, maxStreams } from "@switchboard/services/events/EventStream"
import { Array, Effect, Ref } from "effect"
import { v7 } from "uuid"
import { call, keys, LiveApi, organization } from "../LiveApi.js"
import { follow } from "./Follow.js"

const idsIn = (text: string) => [...text.matchAll(/^id: (\S+)\nevent: /gm)].map(([, id]) => id)

const problemOf = (path: string, headers: Record<string, string> = {}) =>
  Effect.map(call("GET", path, { headers }), ({ body, status }) => [status, body._tag, body.message])

layer(LiveApi.layer, { excludeTestServices: true })("GET /v1/events", (it) => {
  it.scoped("sends events as server-sent events without caching", () =>
    Effect.gen(function* () {
      const { events } = yield* LiveApi
      const stream = yield* follow()
      assert.strictEqual(stream.status, 200)
      assert.strictEqual(stream.headers.get("content-type"), "text/event-stream")
      assert.strictEqual(stream.headers.get("cache-control"), "no-store")
      assert.strictEqual(stream.headers.get("x-accel-buffering"), "no")
      yield* stream.until((text) => text.includes("retry: "))
      const [id] = yield* events.append(organization, "api_key.created")
      const text = yield* stream.until((so) => so.includes("data: "))
      const [, type, data] = /event: (.+)\ndata: (.+)\n\n$/.exec(text) ?? []
      assert.strictEqual(type, "api_key.created")
      const { timestamp, ...envelope } = JSON.parse(data ?? "")
      assert.deepStrictEqual(envelope, {
        id,
        type: "api_key.created",
        organizationId: organization,
        data: { name: "api_key.created" }
      })
      assert.match(timestamp, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    })
  )

  it.scoped("continues after Last-Event-ID; the header precedes the query", () =>
    Effect.gen(function* () {
      const { events } = yield* LiveApi
      const ids = yield* events.append(organization, "api_key.created", "organization.updated", "api_key.deleted")
      const [first = "", second = "", third = ""] = ids
      const after = (path: string, headers: Record<string, string>, last: string = third) =>
        Effect.gen(function* () {
          const stream = yield* follow(path, headers)
          return idsIn(yield* stream.until((text) => idsIn(text).includes(last)))
        })
      assert.deepStrictEqual(yield* after("", { "Last-Event-ID": first }), ids.slice(1))
      assert.deepStrictEqual(yield* after(`?lastEventId=${first.toUpperCase()}`, {}), ids.slice(1))
      assert.deepStrictEqual(yield* after(`?lastEventId=${first}`, { "Last-Event-ID": second }), ids.slice(2))
      const complete = yield* after("", { "Last-Event-ID": beforeAllEvents })
      assert.deepStrictEqual(complete.slice(-3), ids)
      const typed = yield* after(`?lastEventId=${first}&types=organization.updated,message.*`, {}, second)
      assert.deepStrictEqual(typed, [second])
    })
  )

  it.effect("rejects unknown ids and types", () =>
    Effect.gen(function* () {
      const { events } = yield* LiveApi
      const [own = ""] = yield* events.append(organization, "api_key.created")
      const unknownId = v7()
      const unknown = (id: string) => [
        400,
        "BadRequestError",
        `The parameter Last-Event-ID is not a known event: ${id}. Without it the stream begins now, with ${beforeAllEvents} at the oldest event`
      ]
      assert.deepStrictEqual(yield* problemOf("/v1/events", { "Last-Event-ID": unknownId }), unknown(unknownId))
      const { body } = yield* call("GET", "/v1/events", {
        key: keys.otherOrganization,
        headers: { "Last-Event-ID": own }
      })
      assert.strictEqual(body.message, unknown(own)[2])
      assert.deepStrictEqual(yield* problemOf("/v1/events", { "Last-Event-ID": "last" }), [
        400,
        "BadRequestError",
        "The parameter last-event-id must be a uuid"
      ])
      assert.deepStrictEqual(yield* problemOf("/v1/events?lastEventId=1"), [
        400,
        "BadRequestError",
        "The parameter lastEventId must be a uuid"
      ])
      for (const types of ["message.snet", "message.sent,", "message"]) {
        const [status, tag, message] = yield* problemOf(`/v1/events?types=${types}`)
        assert.deepStrictEqual([status, tag], [400, "BadRequestError"])
        assert.match(message, /^The parameter types must be event types separated by commas; ".*" is none$/)
      }
    })
  )

  it.effect(`limits an organization to ${maxStreams} streams at a time, and releases closed ones`, () =>
    Effect.gen(function* () {
      const open = follow("", {}, keys.otherOrganization)
      yield* Effect.scoped(
        Effect.gen(function* () {
          yield* Effect.all(Array.makeBy(maxStreams, () => open))
          const { body, headers, status } = yield* call("GET", "/v1/events", { key: keys.otherOrganization })
          assert.deepStrictEqual([status, body], [429, { _tag: "RateLimitedError", retryAfterSeconds: 5 }])
          assert.strictEqual(headers.get("retry-after"), "5")
        })
      )
      yield* Effect.scoped(Effect.repeat(open, { until: ({ status }) => status === 200 }))
    })
  )

  it.scoped("stays open with a Bearer key", () =>
    Effect.gen(function* () {
      const { events } = yield* LiveApi
      const stream = yield* follow("", { Authorization: `Bearer ${keys.admin}` }, null)
      yield* stream.until((text) => text.includes("retry: "))
      const [id = ""] = yield* events.append(organization, "api_key.created")
      assert.include(yield* stream.until((text) => text.includes(id)), id)
    })
  )

  it.scoped("ends when its key is deactivated", () =>
    Effect.gen(function* () {
      const newResource = yield* call("POST", "/v1/api-keys", {
        body: { name: "Short", permissions: { webhooks: ["read"] } }
      })
      const stream = yield* follow("", {}, newResource.body.key)
      yield* call("PATCH", `/v1/api-keys/${newResource.body.id}`, { body: { isActive: false } })
      yield* stream.ended
    })
  )

  it.scoped("ends when the process stops", () =>
    Effect.gen(function* () {
      const { serving } = yield* LiveApi
      const stream = yield* follow()
      yield* Ref.set(serving, "closing")
      yield* stream.ended
      yield* Ref.set(serving, "serving")
    })
  )
})
