import { assert, describe, it } from "@effect/vitest"
import type { Switchboard } from "@switchboard/client"
import { Effect, Either, Predicate } from "effect"
import { responding } from "../FakeService.js"

const failed = { _tag: "InternalError", message: "An unexpected error" }

/** Calls with valid and invalid literals. The type check of the tests fails if an invalid one compiles. */
const calls = ({ apiKeys, events, webhookEndpoints }: Switchboard): ReadonlyArray<Effect.Effect<unknown, unknown>> => [
  webhookEndpoints.create({
    payload: { name: "n", url: "https://example.com/", events: ["message.sent", "message.*", "*"] }
  }),
  // @ts-expect-error an unknown event type
  webhookEndpoints.create({ payload: { name: "n", url: "https://example.com/", events: ["mesage.sent"] } }),
  apiKeys.create({ payload: { name: "n", permissions: { messages: ["read", "*"], "*": ["write"] } } }),
  // @ts-expect-error an unknown resource
  apiKeys.create({ payload: { name: "n", permissions: { mesages: ["read"] } } }),
  // @ts-expect-error an unknown action
  apiKeys.create({ payload: { name: "n", permissions: { messages: ["reed"] } } }),
  // @ts-expect-error an unknown event type
  Effect.succeed(events({ types: ["mesage.*"] }))
]

describe("a literal in a request", () => {
  it.effect("is checked by the compiler, and by the declaration before the request is sent", () =>
    Effect.gen(function* () {
      const { result, requests } = yield* responding(500, failed, (switchboard) =>
        Effect.forEach(calls(switchboard), (call) => Effect.either(call))
      )
      const tags = Either.getOrThrow(result).map((response) =>
        Either.isLeft(response) && Predicate.hasProperty(response.left, "_tag") ? response.left._tag : "success"
      )
      assert.deepStrictEqual(tags, [
        "InternalError",
        "ValidationError",
        "InternalError",
        "ValidationError",
        "ValidationError",
        "success"
      ])
      assert.deepStrictEqual(
        requests.map(({ body }) => body),
        [
          { name: "n", url: "https://example.com/", events: ["message.sent", "message.*", "*"] },
          { name: "n", permissions: { messages: ["read", "*"], "*": ["write"] } }
        ]
      )
    })
  )
})
