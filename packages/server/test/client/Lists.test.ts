import { FetchHttpClient } from "@effect/platform"
import { assert, layer } from "@effect/vitest"
import { make } from "@switchboard/client"
import { Array, Effect, Redacted, Stream } from "effect"
import { LiveService } from "../LiveService.js"

const client = Effect.flatMap(LiveService, ({ baseUrl, key }) =>
  make({ baseUrl, apiKey: Redacted.make(key), retries: 20 })
).pipe(Effect.provide(FetchHttpClient.layer))

const mail = (subject: string) => ({
  channel: "email" as const,
  to: [{ email: "ada@example.com" }],
  email: { subject, text: "Hello" }
})

layer(LiveService.Shared, { excludeTestServices: true })("The list of messages", (it) => {
  it.effect("is read without gaps or repetitions while new messages are sent", () =>
    Effect.gen(function* () {
      const { messages } = yield* client
      const batches = yield* Effect.forEach(Array.range(1, 3), (batch) =>
        messages.batch({ payload: { messages: Array.makeBy(100, (index) => mail(`Mail ${batch}.${index}`)) } })
      )
      const sent = batches.flatMap(({ results }) => results.flatMap(({ message }) => message?.id ?? []))
      assert.lengthOf(sent, 300)
      const listed = yield* messages.list.all({ urlParams: { limit: 15 } }).pipe(
        Stream.map(({ id }) => id),
        Stream.chunks,
        Stream.mapEffect((page) => Effect.as(messages.send({ payload: mail("Another mail") }), page)),
        Stream.flattenChunks,
        Stream.runCollect
      )
      assert.deepStrictEqual([...listed], sent.sort().reverse())
      assert.strictEqual((yield* messages.list()).pagination.total, 320)
    })
  )
})
