import { assert, describe, it } from "@effect/vitest"
import { Api } from "@switchboard/api"
import { operationExamples } from "@switchboard/api/openapi/OperationExamples"
import { requestCheck } from "@switchboard/client/operations/CheckRequest"
import { BadRequestError, ValidationError } from "@switchboard/client/promise"
import { Effect, Option, Predicate, Schema } from "effect"
import { v7 } from "uuid"
import { list, rejection, serving } from "../promise/Serving.js"

const email = { subject: "Hello", html: "<p>Hello</p>" }
const to = [{ email: "ada@example.com" }]

/** The result of a call with the arguments of a program without types. */
const call = (operations: object, name: string, request: unknown): Promise<unknown> => {
  const operation: unknown = Reflect.get(operations, name)
  assert(Predicate.isFunction(operation))
  return Promise.resolve(operation(request))
}

const invalidBodies: ReadonlyArray<readonly [string, object, Readonly<Record<string, ReadonlyArray<string>>>]> = [
  [
    "an address",
    { to: [{ email: "bad" }], email },
    { "to.0.email": ["must be an email address like ada@example.com"] }
  ],
  [
    "errors of values and of texts",
    { to: [{ email: "bad" }], email: { ...email, subject: "" }, conversationId: "none", externalId: "" },
    {
      "to.0.email": ["must be an email address like ada@example.com"],
      "email.subject": ["must have 1 to 998 characters"],
      conversationId: ["must be a uuid"],
      externalId: ["must have 1 to 255 characters"]
    }
  ],
  ["no recipient", { to: [], email }, { to: ["must name at least one recipient"] }],
  ["no list", { to: "ada@example.com", email }, { to: ["must be a list"] }],
  ["a missing field", { to }, { email: ["is required"] }],
  ["an unknown field", { to, email, scheduleAt: "x" }, { scheduleAt: ["is not a known field"] }],
  ["an unknown field within", { to, email: { ...email, txt: "x" } }, { "email.txt": ["is not a known field"] }],
  [
    "a sender",
    { to, email: { ...email, from: { address: "bad" } } },
    {
      "email.from": ["must be an email address like ada@example.com"]
    }
  ],
  ["a time", { to, email, scheduledAt: "tomorrow" }, { scheduledAt: ["must be an ISO 8601 date-time"] }],
  [
    "NUL",
    { to, email: { ...email, subject: "a\0b" } },
    { "email.subject": ["must not contain NUL or lone surrogates"] }
  ]
]

const invalidParameters: ReadonlyArray<readonly [string, string, object, string]> = [
  ["messages", "list", { urlParams: { limit: "x" } }, "The parameter limit must be a whole number from 1 to 100"],
  ["messages", "list", { urlParams: { limit: 101 } }, "The parameter limit must be a whole number from 1 to 100"],
  ["messages", "list", { urlParams: { stauts: "failed" } }, "The parameter stauts is not a known parameter"],
  [
    "messages",
    "list",
    { urlParams: { after: "x" } },
    "The parameter after must be the `after` of a Link header of the same list"
  ],
  ["messages", "get", { path: { id: "none" } }, "The parameter id must be a uuid"],
  ["messages", "get", {}, "The parameter id is required"],
  [
    "messages",
    "send",
    { payload: { to, email, channel: "email" }, headers: { "idempotency-key": "" } },
    "The parameter idempotency-key must have 1 to 255 characters"
  ],
  [
    "voiceCalls",
    "list",
    { urlParams: { filters: { voiceAgentId: "none" } } },
    "The parameter filters.voiceAgentId must be a uuid"
  ],
  ["messages", "send", { payload: [] }, "The body must be a JSON object"],
  ["blocks", "import", { payload: 1 }, "The request body must be text"]
]

const circular: Record<string, unknown> = {}
circular.circular = circular

/** Values that JSON does not have, and what the error says about them. */
const notJson: ReadonlyArray<readonly [unknown, RegExp]> = [
  [7n, /^The request can't be encoded as JSON: .*BigInt/],
  [circular, /^The request can't be converted: /],
  [Number.NaN, /^The request body is invalid$/],
  [2 ** 53, /^The request body is invalid$/]
]

describe("an invalid request", () => {
  it.scopedLive("fails before it is sent: values that JSON does not have", () =>
    Effect.gen(function* () {
      const { service, switchboard } = yield* serving([{ status: 500, body: "sent" }])
      for (const [order, message] of notJson) {
        const payload = { channel: "email" as const, to, email: { templateId: v7(), templateData: { order } } }
        const error = yield* rejection(switchboard.messages.send({ payload }))
        assert(error instanceof BadRequestError || error instanceof ValidationError)
        assert.match(error.message, message)
      }
      assert.deepStrictEqual(service.received, [])
    })
  )

  for (const [title, payload, fields] of invalidBodies) {
    it.scopedLive(`fails before it is sent: ${title}`, () =>
      Effect.gen(function* () {
        const { service, switchboard } = yield* serving([{ status: 500, body: "sent" }])
        const error = yield* rejection(
          call(switchboard.messages, "send", { payload: { channel: "email", ...payload } })
        )
        assert(error instanceof ValidationError, String(error))
        assert.strictEqual(error.message, "The request body is invalid")
        assert.deepStrictEqual({ ...error.fields }, fields)
        assert.deepStrictEqual(service.received, [])
      })
    )
  }

  for (const [group, name, request, message] of invalidParameters) {
    it.scopedLive(`fails before it is sent: ${group}.${name} ${JSON.stringify(request)}`, () =>
      Effect.gen(function* () {
        const { service, switchboard } = yield* serving([{ status: 500, body: "sent" }])
        const operations: unknown = Reflect.get(switchboard, group)
        assert(Predicate.isObject(operations))
        const error = yield* rejection(call(operations, name, request))
        assert.deepStrictEqual(error, new BadRequestError({ message }))
        assert.deepStrictEqual(service.received, [])
      })
    )
  }
})

/** The endpoints with a JSON body, and their examples in the document. */
const examples = Object.entries(Api.groups).flatMap(([group, { endpoints }]) =>
  Object.entries(endpoints).flatMap(([name, { headersSchema, method, path, payloadSchema, urlParamsSchema }]) => {
    const json = operationExamples[`${group}.${name}`]?.request
    if (Option.isNone(payloadSchema) || !Predicate.isRecord(json)) return []
    const schemas = { method, path, pathSchema: Option.none(), headersSchema, payloadSchema, urlParamsSchema }
    return [{ id: `${group}.${name}`, schema: Schema.make<unknown>(payloadSchema.value.ast), json, schemas }]
  })
)

describe("a valid request", () => {
  it.effect("is not changed, and is decoded if it is JSON, for every example of the document", () =>
    Effect.gen(function* () {
      assert.isAbove(examples.length, 40)
      for (const { id, json, schema, schemas } of examples) {
        const check = requestCheck(schemas)
        const payload = yield* Schema.decodeUnknown(schema)(json)
        assert.strictEqual((yield* check({ payload })).payload, payload, id)
        assert.deepStrictEqual((yield* check({ payload: json })).payload, payload, id)
      }
    })
  )

  it.scopedLive("can have times, senders and parameters in their form on the wire, and undefined ones", () =>
    Effect.gen(function* () {
      const { service, switchboard } = yield* serving([list])
      const payload = {
        channel: "email",
        to,
        email: { ...email, from: "Ada <ada@example.com>" },
        scheduledAt: "2030-01-01T00:00:00.000Z"
      }
      yield* rejection(call(switchboard.messages, "send", { payload }))
      yield* rejection(call(switchboard.messages, "list", { urlParams: { limit: "7", endDate: payload.scheduledAt } }))
      yield* rejection(
        call(switchboard.voiceAgents, "list", { urlParams: { page: undefined, filters: { search: undefined } } })
      )
      assert.deepStrictEqual(
        service.received.map(({ body, path }) => [path, body === "" ? null : JSON.parse(body)]),
        [
          ["/v1/messages", payload],
          ["/v1/messages?limit=7&endDate=2030-01-01T00%3A00%3A00.000Z", null],
          ["/v1/voice/agents?filters=%7B%7D", null]
        ]
      )
    })
  )
})

describe("a header", () => {
  it.scopedLive("can have a name in any case", () =>
    Effect.gen(function* () {
      const { service, switchboard } = yield* serving([{ status: 500, body: "sent" }])
      const payload = { channel: "email", to, email }
      yield* rejection(call(switchboard.messages, "send", { payload, headers: { "Idempotency-Key": "order-1" } }))
      assert.deepStrictEqual(
        service.received.map(({ headers }) => headers["idempotency-key"]),
        ["order-1"]
      )
    })
  )
})

describe("a batch", () => {
  it.scopedLive(
    "is sent with an invalid send, which the service reports in its result, but without unknown fields",
    () =>
      Effect.gen(function* () {
        const { service, switchboard } = yield* serving([{ body: { results: [{ status: 422 }] } }])
        const { results } = yield* Effect.promise(() =>
          switchboard.messages.batch({ payload: { messages: [{ channel: "email", to: [{ email: "bad" }], email }] } })
        )
        assert.deepStrictEqual(results, [{ status: 422 }])
        const unknown = { channel: "email", to, email, scheduleAt: "x" }
        const error = yield* rejection(call(switchboard.messages, "batch", { payload: { messages: [unknown] } }))
        assert(error instanceof ValidationError)
        assert.deepStrictEqual({ ...error.fields }, { "messages.0.scheduleAt": ["is not a known field"] })
        assert.lengthOf(service.received, 1)
      })
  )
})
