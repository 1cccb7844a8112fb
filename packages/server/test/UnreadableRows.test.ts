import { SqlClient } from "@effect/sql"
import { assert, layer } from "@effect/vitest"
import { TestDatabase } from "@switchboard/store/testing/TestDatabase"
import { Array, Effect, Layer } from "effect"
import { adminKey, LiveService, send } from "./LiveService.js"

const Live = Layer.provideMerge(TestDatabase, LiveService.layer({ LOG_LEVEL: "none" }))

const text = (path: string) =>
  Effect.flatMap(LiveService, ({ baseUrl }) =>
    Effect.promise(() =>
      fetch(`${baseUrl}${path}`, { headers: { "X-API-Key": adminKey } }).then((response) => response.text())
    )
  )

layer(Live, { excludeTestServices: true, timeout: "60 seconds" })("A row that can't be decoded", (it) => {
  it.effect("is omitted from lists and exports and counted; a request for it is an error", () =>
    Effect.gen(function* () {
      const { call } = yield* LiveService
      const sql = yield* SqlClient.SqlClient
      const sent = yield* Effect.forEach(Array.range(1, 3), () => call("POST", "/v1/messages", send()))
      const [first, broken, last]: ReadonlyArray<string> = sent.map(({ body }) => body.id)
      yield* sql`UPDATE messages SET created_at = 'infinity' WHERE id = ${broken ?? ""}`
      yield* sql`UPDATE participants SET created_at = 'infinity'`

      const { body, status } = yield* call("GET", "/v1/messages")
      assert.strictEqual(status, 200)
      assert.deepStrictEqual(
        body.items.map(({ id }: { readonly id: string }) => id),
        [last, first]
      )
      assert.isEmpty((yield* call("GET", "/v1/participants")).body.items)
      const exported = JSON.parse(yield* text("/v1/analytics/export?type=messages&format=json"))
      assert.deepStrictEqual(
        exported.map(({ id }: { readonly id: string }) => id),
        [first, last]
      )
      assert.lengthOf((yield* text("/v1/analytics/export?type=messages&format=ndjson")).trim().split("\n"), 2)
      assert.lengthOf((yield* text("/v1/analytics/export?type=messages&format=csv")).trim().split("\n"), 3)
      assert.strictEqual((yield* call("GET", `/v1/messages/${broken}`)).status, 500)
      assert.match(yield* text("/metrics"), /\nswitchboard_unreadable_rows_total [1-9]/)
    })
  )
})
