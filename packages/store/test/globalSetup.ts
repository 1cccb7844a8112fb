import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { NodeContext } from "@effect/platform-node"
import { PgClient } from "@effect/sql-pg"
import { embeddedPostgres } from "@switchboard/store/embedded/EmbeddedPostgres"
import { migrate } from "@switchboard/store/migrations/Migrations"
import { Effect, Exit, Redacted, Scope } from "effect"
import type { TestProject } from "vitest/node"

declare module "vitest" {
  interface ProvidedContext {
    readonly databaseServer: string
    /** The name of the migrated database that test databases are copies of, and the prefix of their names. */
    readonly databaseTemplate: string
    /** A folder for files of the run, deleted at its end. */
    readonly runFolder: string
    readonly machineFactor: number
  }
}

/** The URL of another database on the same server. */
export const databaseUrl = (server: string, name: string) => {
  const url = new URL(server)
  url.pathname = `/${name}`
  return url.href
}

const admin = (url: string) => PgClient.layer({ url: Redacted.make(url), maxConnections: 1 })

const inDatabase = <A>(url: string, use: (sql: PgClient.PgClient) => Effect.Effect<A, unknown>) =>
  Effect.runPromise(Effect.flatMap(PgClient.PgClient, use).pipe(Effect.provide(admin(url))))

/** The server of `DATABASE_URL`, or an embedded one. Only the built program needs durable commits: it refuses others. */
const server = (dataDir: string, isDurable: boolean) =>
  process.env.DATABASE_URL === undefined
    ? Effect.map(embeddedPostgres({ dataDir, isDurable }), ({ url }) => Redacted.value(url)).pipe(
        Effect.provide(NodeContext.layer)
      )
    : Effect.succeed(process.env.DATABASE_URL)

/** Ends the run with one line instead of the stack of vitest's own error. */
const stopRun = (error: unknown): never => {
  const { message } = error instanceof Error ? error : new Error(String(error))
  const [reason] = message.split("\n")
  process.stderr.write(`The tests have no database: check DATABASE_URL, or the space in ${tmpdir()} (${reason})\n`)
  process.exit(1)
}

/** A PostgreSQL server for the run, embedded or `DATABASE_URL`, with a migrated template database. */
export default async function setup(project: TestProject) {
  const scope = Effect.runSync(Scope.make())
  const folder = mkdtempSync(join(tmpdir(), "switchboard-test-"))
  const template = `switchboard_test_${process.pid}`
  const stop = async () => {
    await Effect.runPromise(Scope.close(scope, Exit.void))
    rmSync(folder, { recursive: true, force: true })
  }
  const start = async () => {
    const url = await Effect.runPromise(Scope.extend(server(folder, project.name === "programs"), scope))
    await inDatabase(url, (sql) => sql.unsafe(`CREATE DATABASE ${template}`))
    await Effect.runPromise(migrate.pipe(Effect.provide(admin(databaseUrl(url, template)))))
    return url
  }
  const url = await start().catch((error) => stop().then(() => stopRun(error)))
  const { machineFactor } = project.config.provide
  process.stdout.write(`Deadlines are multiplied by ${machineFactor?.toFixed(1)}, measured on this machine\n`)
  project.provide("databaseServer", url)
  project.provide("databaseTemplate", template)
  project.provide("runFolder", folder)
  return async () => {
    await inDatabase(url, (sql) =>
      Effect.gen(function* () {
        const left = yield* sql<{ name: string }>`SELECT datname AS name FROM pg_database
          WHERE starts_with(datname, ${template})`
        for (const { name } of left) yield* sql.unsafe(`DROP DATABASE ${name} WITH (FORCE)`)
      })
    )
    await stop()
  }
}
