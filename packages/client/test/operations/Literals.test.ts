import { assert, describe, it } from "@effect/vitest"
import type { Switchboard } from "@switchboard/client"
import { Effect, Either, Predicate } from "effect"
import { answering } from "./Answering.js"

const failed = { _tag: "InternalError", message: "An unexpected error" }

/** Calls with names that the declaration has or lacks. The type check of the tests fails if a wrong name compiles. */
const calls = ({ apiKeys, events, webhookEndpoints }: Switchboard): ReadonlyArray<Effect.Effect<unknown, unknown>> => [
  webhookEndpoints.create({
    payload: { name: "n", url: "https://example.com/", events: ["message.sent", "message.*", "*"] }
  }),
  // @ts-expect-error a name that no event has
  webhookEndpoints.create({ payload: { name: "n", url: "https://example.com/", events: ["mesage.sent"] } }),
  apiKeys.create({ payload: { name: "n", permissions: { messages: ["read", "*"], "*": ["write"] } } }),
  // @ts-expect-error a resource that does not exist
  apiKeys.create({ payload: { name: "n", permissions: { mesages: ["read"] } } }),
  // @ts-expect-error an action that does not exist
  apiKeys.create({ payload: { name: "n", permissions: { messages: ["reed"] } } }),
  // @ts-expect-error a name that no event has
  Effect.succeed(events({ types: ["mesage.*"] }))
]

describe("A name in a request", () => {
  it.effect("is checked by the compiler, and by the declaration before the request is sent", () =>
    Effect.gen(function* () {
      const { answer, heard } = yield* answering(500, failed, (switchboard) =>
        Effect.forEach(calls(switchboard), (call) => Effect.either(call))
      )
      const tags = Either.getOrThrow(answer).map((result) =>
        Either.isLeft(result) && Predicate.hasProperty(result.left, "_tag") ? result.left._tag : "success"
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
        heard.map(({ body }) => body),
        [
          { name: "n", url: "https://example.com/", events: ["message.sent", "message.*", "*"] },
          { name: "n", permissions: { messages: ["read", "*"], "*": ["write"] } }
        ]
      )
    })
  )
})
