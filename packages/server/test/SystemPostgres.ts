import { execFileSync, spawn } from "node:child_process"
import { chownSync, existsSync, mkdirSync, readdirSync } from "node:fs"
import { join } from "node:path"
import { freePort } from "@switchboard/domain/testing/FreePort"
import { skipReason } from "@switchboard/domain/testing/Programs"
import { commandAs, serverUser } from "@switchboard/store/embedded/ServerUser"
import { Effect, Schedule } from "effect"
import pg from "pg"

const installations = "/usr/lib/postgresql"

const folder = existsSync(installations)
  ? readdirSync(installations)
      .map((version) => join(installations, version, "bin"))
      .find((bin) => existsSync(join(bin, "initdb")))
  : undefined

/** Why tests of the PostgreSQL of the distribution are skipped; empty if they run. */
export const noSystemPostgres = skipReason(
  folder !== undefined,
  `PostgreSQL in ${installations}`,
  "apt-get install postgresql"
)

/** Runs a PostgreSQL of the distribution, whose client programs fit; returns the URL of one of its databases. */
export const systemPostgres = (at: string) =>
  Effect.gen(function* () {
    const cluster = join(at, "cluster")
    const user = yield* serverUser([cluster])
    mkdirSync(cluster)
    if (user !== null) chownSync(cluster, user.uid, user.gid)
    const run = (program: string, args: ReadonlyArray<string>) => {
      const [file = "", ...others] = commandAs(user, [join(folder ?? "", program), "-D", cluster, ...args])
      return [file, others] as const
    }
    execFileSync(...run("initdb", ["--username=switchboard", "--auth=trust", "--locale=C", "--encoding=UTF8"]), {
      stdio: "ignore"
    })
    const port = yield* freePort
    yield* Effect.acquireRelease(
      Effect.sync(() =>
        spawn(
          ...run("postgres", [
            "-p",
            String(port),
            "-c",
            "listen_addresses=127.0.0.1",
            "-c",
            "unix_socket_directories="
          ]),
          { stdio: "ignore" }
        )
      ),
      (child) =>
        Effect.async<void>((resume) => {
          child.once("exit", () => resume(Effect.void))
          child.kill("SIGINT")
        })
    )
    const url = (database: string) => `postgres://switchboard:secret@127.0.0.1:${port}/${database}`
    const statement = (text: string) =>
      Effect.tryPromise(async () => {
        const client = new pg.Client({ connectionString: url("postgres") })
        await client.connect()
        await client.query(text)
        await client.end()
      })
    yield* Effect.retry(statement("SELECT 1"), Schedule.intersect(Schedule.spaced("100 millis"), Schedule.recurs(600)))
    return { url, create: (database: string) => Effect.as(statement(`CREATE DATABASE ${database}`), url(database)) }
  })
