import { SqlClient } from "@effect/sql"
import { assert, layer } from "@effect/vitest"
import { TestDatabase } from "@switchboard/store/testing/TestDatabase"
import { Array, Effect, Layer } from "effect"
import { LiveService, send } from "./LiveService.js"

// A service of its own: a worker that takes or counts such a message fails at each.
const Live = Layer.provideMerge(TestDatabase, LiveService.layer())

const text = (path: string) =>
  Effect.flatMap(LiveService, ({ baseUrl, key }) =>
    Effect.promise(() =>
      fetch(`${baseUrl}${path}`, { headers: { "X-API-Key": key } }).then((response) => response.text())
    )
  )

layer(Live, { excludeTestServices: true })("A row that can't be decoded", (it) => {
  it.effect("is omitted from lists and exports and counted; a request for it is an error", () =>
    Effect.gen(function* () {
      const { call, organizationId } = yield* LiveService
      const sql = yield* SqlClient.SqlClient
      const counted = Effect.map(text("/metrics"), (metrics) =>
        Number(/\nswitchboard_unreadable_rows_total (\d+)/.exec(metrics)?.[1] ?? 0)
      )
      const before = yield* counted
      const sent = yield* Effect.forEach(Array.range(1, 3), () => call("POST", "/v1/messages", send()))
      const [first, broken, last]: ReadonlyArray<string> = sent.map(({ body }) => body.id)
      yield* sql`UPDATE messages SET created_at = 'infinity' WHERE id = ${broken ?? ""}`
      yield* sql`UPDATE participants SET created_at = 'infinity' WHERE organization_id = ${organizationId}`

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
      assert.isAbove(yield* counted, before)
    })
  )
})
