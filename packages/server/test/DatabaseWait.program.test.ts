import { spawn } from "node:child_process"
import { connect, createServer, type Server } from "node:net"
import { assert, describe, it } from "@effect/vitest"
import { freePort } from "@switchboard/domain/testing/FreePort"
import { TestDatabaseUrl } from "@switchboard/store/testing/TestDatabase"
import { Effect, Redacted } from "effect"
import { temporaryFolder } from "./LiveService.js"
import { base, failing, program } from "./ServiceProcess.js"

const listening = (server: Server, port: number) =>
  Effect.async<number>((resume) => {
    server.listen(port, "127.0.0.1", () => {
      const address = server.address()
      resume(Effect.succeed(typeof address === "object" && address !== null ? address.port : 0))
    })
  })

/** Starts to forward connections to the database. */
const startForwarding = (port: number, target: URL) =>
  Effect.acquireRelease(
    Effect.suspend(() => {
      const server = createServer((client) => {
        const upstream = connect(Number(target.port), target.hostname)
        for (const socket of [client, upstream]) socket.on("error", () => undefined)
        client.pipe(upstream).pipe(client)
      })
      return Effect.as(listening(server, port), server)
    }),
    (server) => Effect.sync(() => server.close())
  )

/** Starts the service; `waitFor` waits for a log line and returns the output so far. */
const starting = (environment: Readonly<Record<string, string>>) =>
  Effect.acquireRelease(
    Effect.sync(() =>
      spawn(process.execPath, [program, "serve"], { env: environment, stdio: ["ignore", "pipe", "pipe"] })
    ),
    (child) => Effect.sync(() => child.kill("SIGKILL"))
  ).pipe(
    Effect.map((child) => {
      let text = ""
      const waitFor = (pattern: RegExp) =>
        Effect.async<string>((resume) => {
          const look = () => pattern.test(text) && resume(Effect.succeed(text))
          child.on("exit", () => resume(Effect.dieMessage(`It ended:\n${text}`)))
          child.on("output", look)
          look()
        })
      for (const output of [child.stdout, child.stderr]) {
        output.on("data", (chunk) => {
          text += String(chunk)
          child.emit("output")
        })
      }
      return { waitFor }
    })
  )

describe("The start of the service", () => {
  it.scopedLive("waits for a database that can't be reached yet, and logs it once", () =>
    Effect.gen(function* () {
      const target = new URL(Redacted.value(yield* TestDatabaseUrl))
      const port = yield* freePort
      const url = new URL(target.href)
      url.port = String(port)
      const { waitFor } = yield* starting({ ...base(yield* temporaryFolder), DATABASE_URL: url.href })
      yield* waitFor(/retrying for up to 1m/)
      yield* startForwarding(port, target)
      const text = yield* waitFor(/Switchboard serves/)
      assert.lengthOf(text.match(/retrying for up to/g) ?? [], 1)
    }).pipe(Effect.provide(TestDatabaseUrl.Live))
  )

  it.scopedLive("does not wait after wrong credentials or an unknown database", () =>
    Effect.gen(function* () {
      const url = new URL(Redacted.value(yield* TestDatabaseUrl))
      const folder = yield* temporaryFolder
      const refused = (change: Partial<URL>) =>
        failing(["serve"], { ...base(folder), DATABASE_URL: Object.assign(new URL(url.href), change).href })
      const [password, database] = yield* Effect.all(
        [refused({ password: "wrong" }), refused({ pathname: "/nowhere" })],
        { concurrency: 2 }
      )
      assert.match(password, /^switchboard: The database can't be reached: .*password/)
      assert.match(database, /^switchboard: The database can't be reached: .*nowhere/)
    }).pipe(Effect.provide(TestDatabaseUrl.Live))
  )
})
