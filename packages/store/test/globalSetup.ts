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
    readonly databaseTemplate: string
  }
}

interface Server {
  readonly url: string
  readonly template: string
  readonly stop: () => Promise<void>
}

/** The URL of another database on the same server. */
export const databaseUrl = (server: string, name: string) => {
  const url = new URL(server)
  url.pathname = `/${name}`
  return url.href
}

const admin = (url: string) => PgClient.layer({ url: Redacted.make(url), maxConnections: 1 })

const start = async (): Promise<Server> => {
  const scope = Effect.runSync(Scope.make())
  const dataDir = mkdtempSync(join(tmpdir(), "switchboard-test-"))
  const url =
    process.env.DATABASE_URL ??
    (await Effect.runPromise(
      Effect.map(embeddedPostgres({ dataDir }), ({ url }) => Redacted.value(url)).pipe(
        Scope.extend(scope),
        Effect.provide(NodeContext.layer)
      )
    ))
  const template = `switchboard_template_${process.pid}`
  const statement = (text: string) =>
    Effect.runPromise(Effect.flatMap(PgClient.PgClient, (sql) => sql.unsafe(text)).pipe(Effect.provide(admin(url))))
  await statement(`CREATE DATABASE ${template}`)
  await Effect.runPromise(migrate.pipe(Effect.provide(admin(databaseUrl(url, template)))))
  return {
    url,
    template,
    stop: async () => {
      await statement(`DROP DATABASE ${template}`)
      await Effect.runPromise(Scope.close(scope, Exit.void))
      rmSync(dataDir, { recursive: true, force: true })
    }
  }
}

declare global {
  // Each project of a run has its own instance of this module, in one process.
  var testServer: { readonly started: Promise<Server>; users: number } | undefined
}

/** A PostgreSQL server for the run, embedded or `DATABASE_URL`, with a migrated template database. */
export default async function setup(project: TestProject) {
  globalThis.testServer ??= { started: start(), users: 0 }
  const server = globalThis.testServer
  server.users += 1
  const { stop, template, url } = await server.started
  project.provide("databaseServer", url)
  project.provide("databaseTemplate", template)
  return async () => {
    server.users -= 1
    if (server.users > 0) return
    globalThis.testServer = undefined
    await stop()
  }
}
