import { FetchHttpClient } from "@effect/platform"
import { make } from "@switchboard/client"
import { Effect, Option, Redacted, Stream } from "effect"

/** The position before the oldest stored event. */
const oldest = "00000000-0000-0000-0000-000000000000"

/** Sends a message, and finds it by its id, in the list and in the events; and receives an error. */
export const story = (baseUrl, apiKey) =>
  Effect.gen(function* () {
    const { events, messages } = yield* make({ baseUrl, apiKey: Redacted.make(apiKey) })
    const { id } = yield* messages.send({
      payload: {
        channel: "email",
        to: [{ email: "ada@example.com" }],
        email: { subject: "Hello", text: "It works." }
      }
    })
    const found = yield* messages.get({ path: { id } })
    const listed = yield* Stream.runHead(Stream.filter(messages.list.all(), (message) => message.id === id))
    const error = yield* Effect.flip(messages.get({ path: { id: crypto.randomUUID() } }))
    const event = yield* events({ types: ["message.created"], lastEventId: oldest }).pipe(
      Stream.filter(({ data }) => data.id === id),
      Stream.runHead
    )
    return {
      found: found.content.subject,
      isListed: Option.isSome(listed),
      error: error._tag,
      event: Option.getOrThrow(event).type
    }
  }).pipe(Effect.provide(FetchHttpClient.layer), Effect.runPromise)
