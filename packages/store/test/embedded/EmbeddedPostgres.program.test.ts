import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as NodeContext from "@effect/platform-node/NodeContext"
import { PgClient } from "@effect/sql-pg"
import { assert, it } from "@effect/vitest"
import { embeddedPostgres } from "@switchboard/store/embedded/EmbeddedPostgres"
import { Effect, Redacted } from "effect"

const folder = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "switchboard-embedded-"))),
  (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true }))
)

const segmentSize = (url: Redacted.Redacted<string>) =>
  Effect.flatMap(PgClient.PgClient, (sql) => sql`SHOW wal_segment_size`).pipe(
    Effect.provide(PgClient.layer({ url, maxConnections: 1 }))
  )

it.scopedLive("starts with small WAL segments, despite the files of a killed process with the same process id", () =>
  Effect.gen(function* () {
    const dataDir = yield* folder
    // As in a container, where the service is always process 1.
    const dead = { url: "postgres://switchboard:secret@127.0.0.1:1/postgres", pid: process.pid }
    writeFileSync(join(dataDir, "postgres.json"), JSON.stringify(dead))
    writeFileSync(join(dataDir, "postgres.lock"), String(process.pid))

    const { url } = yield* embeddedPostgres({ dataDir })
    assert.deepStrictEqual(yield* segmentSize(url), [{ wal_segment_size: "4MB" }])

    // A second start returns the same server.
    const again = yield* embeddedPostgres({ dataDir })
    assert.strictEqual(Redacted.value(again.url), Redacted.value(url))
  }).pipe(Effect.provide(NodeContext.layer))
)
