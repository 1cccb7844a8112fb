import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import type { Switchboard } from "../../src/Switchboard.js"
import { answering } from "./Answering.js"

const refused = { _tag: "ValidationError", message: "The request is invalid", fields: { url: ["is taken"] } }

/** What each call would send, if it compiled: the type check of the tests fails where one that must not compile does. */
const calls = ({ apiKeys, events, webhookEndpoints }: Switchboard): ReadonlyArray<Effect.Effect<unknown, unknown>> => [
  webhookEndpoints.create({ payload: { name: "n", url: "u", events: ["message.sent", "message.*", "*"] } }),
  // @ts-expect-error a name that no event has
  webhookEndpoints.create({ payload: { name: "n", url: "u", events: ["mesage.sent"] } }),
  apiKeys.create({ payload: { name: "n", permissions: { messages: ["read", "*"], "*": ["write"] } } }),
  // @ts-expect-error a resource that nobody has
  apiKeys.create({ payload: { name: "n", permissions: { mesages: ["read"] } } }),
  // @ts-expect-error an action that can't be done
  apiKeys.create({ payload: { name: "n", permissions: { messages: ["reed"] } } }),
  // @ts-expect-error a name that no event has
  Effect.succeed(events({ types: ["mesage.*"] }))
]

describe("A word that a request names", () => {
  it.effect("is known to the compiler, and still judged by the service", () =>
    Effect.gen(function* () {
      const { heard } = yield* answering(422, refused, (switchboard) =>
        Effect.forEach(calls(switchboard), (call) => Effect.ignore(call))
      )
      assert.deepStrictEqual(
        heard.map(({ body }) => body),
        [
          { name: "n", url: "u", events: ["message.sent", "message.*", "*"] },
          { name: "n", url: "u", events: ["mesage.sent"] },
          { name: "n", permissions: { messages: ["read", "*"], "*": ["write"] } },
          { name: "n", permissions: { mesages: ["read"] } },
          { name: "n", permissions: { messages: ["reed"] } }
        ]
      )
    })
  )
})
