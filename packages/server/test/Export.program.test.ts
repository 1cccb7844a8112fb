import { readFileSync } from "node:fs"
import { SqlClient } from "@effect/sql"
import { assert, layer } from "@effect/vitest"
import { TestDatabase, TestDatabaseUrl } from "@switchboard/store/testing/TestDatabase"
import { Effect, Layer, Redacted } from "effect"
import { adminKey, caller, send, temporaryFolder, until } from "./LiveService.js"
import { base, launch } from "./ServiceProcess.js"

const rows = 20_000

/** Doubles the size of a row, so that the export is larger than the heap limit. */
const headers = { "X-Long": "long ".repeat(400).trim() }

/** The resident memory of a process, in MiB. */
const memoryOf = (pid: number | undefined) =>
  Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1_024

const open = (baseUrl: string, query: string, signal?: AbortSignal) =>
  fetch(`${baseUrl}/v1/analytics/export?${query}`, { headers: { "X-API-Key": adminKey }, ...(signal && { signal }) })

/** Copies the only message with one event each, as if accepted one after the other. */
const multiply = (id: string) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    yield* sql`CREATE TEMPORARY TABLE copies ON COMMIT DROP AS SELECT new_uuid_v7(now() - interval '1 hour', n) AS id
      FROM generate_series(1, ${rows}) AS n`
    yield* sql`CREATE TEMPORARY TABLE m ON COMMIT DROP AS SELECT * FROM messages WHERE id = ${id}`
    yield* sql`CREATE TEMPORARY TABLE s ON COMMIT DROP AS SELECT * FROM message_states WHERE message_id = ${id}`
    const columns = (table: string, except: string) =>
      Effect.map(
        sql<{ name: string }>`SELECT quote_ident(attname) AS name FROM pg_attribute
          WHERE attrelid = ${table}::regclass AND attnum > 0 AND NOT attisdropped AND attgenerated = '' AND attname <> ${except}
          ORDER BY attnum`,
        (found) => found.map(({ name }) => name).join(", ")
      )
    const facts = yield* columns("messages", "id")
    yield* sql.unsafe(
      `INSERT INTO messages (id, ${facts}) SELECT copies.id, ${facts.replace(/\w+/g, "m.$&")} FROM copies, m`
    )
    const state = yield* columns("message_states", "message_id")
    yield* sql.unsafe(
      `INSERT INTO message_states (message_id, ${state}) SELECT copies.id, ${state.replace(/\w+/g, "s.$&")} FROM copies, s`
    )
    return yield* sql<{ id: string }>`SELECT id FROM messages ORDER BY id`
  })

layer(Layer.provideMerge(TestDatabase, TestDatabaseUrl.Live), { excludeTestServices: true })("An export", (it) => {
  it.scoped(
    "returns 20,000 rows once and in order with bounded memory, and holds no connection while clients do not read",
    () =>
      Effect.gen(function* () {
        const url = yield* TestDatabaseUrl
        const sql = yield* SqlClient.SqlClient
        const { baseUrl, child } = yield* launch("api", {
          ...base(yield* temporaryFolder),
          DATABASE_URL: Redacted.value(url),
          DATABASE_POOL_SIZE: "2",
          // A heap limit that the complete export would exceed.
          NODE_OPTIONS: "--max-old-space-size=160"
        })
        const call = caller(baseUrl)
        const { body } = yield* call("POST", "/v1/messages", send({}, { headers }))
        const expected = (yield* sql.withTransaction(multiply(body.id))).map(({ id }) => id)
        assert.lengthOf(expected, rows + 1)

        const before = memoryOf(child.pid)
        let highest = 0
        const ids: Array<string> = []
        let octets = 0
        yield* Effect.promise(async () => {
          const response = await open(baseUrl, "type=messages&format=ndjson")
          let rest = ""
          const decoder = new TextDecoder()
          for await (const chunk of response.body ?? []) {
            octets += chunk.length
            const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n")
            rest = lines.pop() ?? ""
            for (const line of lines) ids.push(JSON.parse(line).id)
            highest = Math.max(highest, memoryOf(child.pid))
          }
        })
        assert.deepStrictEqual(ids, expected)
        assert.isAbove(octets, 80_000_000)
        assert.isBelow(highest - before, 80)

        const hangUp = new AbortController()
        const waiting = yield* Effect.promise(() =>
          Promise.all(["csv", "json", "ndjson"].map((format) => open(baseUrl, `format=${format}`, hangUp.signal)))
        )
        assert.deepStrictEqual(
          waiting.map(({ status }) => status),
          [200, 200, 200]
        )
        yield* until(
          sql`SELECT pid FROM pg_stat_activity WHERE application_name = 'switchboard' AND state <> 'idle'`,
          (busy) => busy.length === 0
        )
        assert.strictEqual((yield* call("GET", "/v1/messages?limit=1")).status, 200)
        hangUp.abort()
        // The export slots are free again.
        for (const _ of [1, 2, 3, 4, 5]) {
          const response = yield* Effect.promise(() =>
            open(baseUrl, "format=csv&startDate=2026-01-01T00:00Z&endDate=2026-01-02T00:00Z")
          )
          assert.strictEqual(response.status, 200)
        }
      })
  )
})
