import { FetchHttpClient } from "@effect/platform"
import { assert, layer } from "@effect/vitest"
import { make } from "@switchboard/client"
import { Array, Effect, Redacted, Stream } from "effect"
import { adminKey, LiveService } from "../LiveService.js"

const client = Effect.flatMap(LiveService, ({ baseUrl }) =>
  make({ baseUrl, apiKey: Redacted.make(adminKey), retries: 20 })
).pipe(Effect.provide(FetchHttpClient.layer))

const mail = (subject: string) => ({
  channel: "email" as const,
  to: [{ email: "ada@example.com" }],
  email: { subject, text: "Hello" }
})

layer(LiveService.layer(), { timeout: "300 seconds", excludeTestServices: true })("The list of messages", (it) => {
  it.effect("is read without gaps or repetitions while new messages are sent", () =>
    Effect.gen(function* () {
      const { messages } = yield* client
      const batches = yield* Effect.forEach(Array.range(1, 10), (batch) =>
        messages.batch({ payload: { messages: Array.makeBy(100, (index) => mail(`Mail ${batch}.${index}`)) } })
      )
      const sent = batches.flatMap(({ results }) => results.flatMap(({ message }) => message?.id ?? []))
      assert.lengthOf(sent, 1_000)
      const listed = yield* messages.list.all({ urlParams: { limit: 50 } }).pipe(
        Stream.map(({ id }) => id),
        Stream.chunks,
        Stream.mapEffect((page) => Effect.as(messages.send({ payload: mail("Another mail") }), page)),
        Stream.flattenChunks,
        Stream.runCollect
      )
      assert.deepStrictEqual([...listed], sent.sort().reverse())
      assert.strictEqual((yield* messages.list()).pagination.total, 1_020)
    })
  )
})
