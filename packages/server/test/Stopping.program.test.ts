import { execFileSync } from "node:child_process"
import { once } from "node:events"
import { readFileSync } from "node:fs"
import { connect } from "node:net"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { TestDatabaseUrl } from "@switchboard/store/testing/TestDatabase"
import { Array, Effect, Redacted } from "effect"
import { databaseProxy } from "./DatabaseProxy.js"
import { callerOnce, send, temporaryFolder, until } from "./LiveService.js"
import { base, ended, launch, stop } from "./ServiceProcess.js"

const parentOf = (pid: number) => Number(execFileSync("ps", ["-o", "ppid=", "-p", String(pid)]))

describe("A stopping process", () => {
  it.scopedLive("exits although its embedded database and the watcher were killed", () =>
    Effect.gen(function* () {
      const dataDir = yield* temporaryFolder
      const service = yield* launch("serve", {
        ...base(dataDir),
        LOG_LEVEL: "none"
      })
      const call = callerOnce(service.baseUrl)
      yield* Effect.forEach(Array.range(1, 20), () => call("POST", "/v1/messages", send()), { concurrency: 8 })
      const postgres = Number.parseInt(readFileSync(join(dataDir, "postgres", "postmaster.pid"), "utf8"), 10)
      for (const pid of [parentOf(postgres), postgres]) process.kill(pid, "SIGKILL")
      // Backends of a killed server end one by one: until then a send may still be stored.
      const { body } = yield* until(call("POST", "/v1/messages", send()), ({ status }) => status !== 201)
      assert.strictEqual(body._tag, "ServiceUnavailableError")
      assert.strictEqual(yield* stop(service), 0)
    })
  )

  it.scopedLive("exits although its database hangs", () =>
    Effect.gen(function* () {
      const { proxy, url } = yield* databaseProxy(yield* TestDatabaseUrl)
      const service = yield* launch("serve", {
        ...base(yield* temporaryFolder),
        DATABASE_URL: url,
        LOG_LEVEL: "none"
      })
      const call = callerOnce(service.baseUrl)
      yield* Effect.forEach(Array.range(1, 20), () => call("POST", "/v1/messages", send()), { concurrency: 8 })
      yield* proxy.freeze
      assert.strictEqual((yield* call("POST", "/v1/messages", send())).status, 503)
      assert.strictEqual(yield* stop(service), 0)
    }).pipe(Effect.provide(TestDatabaseUrl.Live))
  )

  it.scopedLive("responds to requests on connections that it has not accepted yet", () =>
    Effect.gen(function* () {
      const service = yield* launch("api", {
        ...base(yield* temporaryFolder),
        DATABASE_URL: Redacted.value(yield* TestDatabaseUrl),
        SHUTDOWN_GRACE: "60 seconds"
      })
      const { hostname, port } = new URL(service.baseUrl)
      service.child.kill("SIGSTOP")
      const sockets = yield* Effect.forEach(
        Array.range(1, 50),
        () =>
          Effect.promise(async () => {
            const socket = connect(Number(port), hostname)
            await once(socket, "connect")
            socket.write("GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
            return socket
          }),
        { concurrency: "unbounded" }
      )
      const responses = Promise.all(sockets.map((socket) => once(socket, "data").then(String, String)))
      service.child.kill("SIGTERM")
      service.child.kill("SIGCONT")
      for (const response of yield* Effect.promise(() => responses)) assert.match(response, /^HTTP\/1\.1 200/)
      for (const socket of sockets) socket.destroy()
      assert.strictEqual(yield* ended(service.child), 0)
    }).pipe(Effect.provide(TestDatabaseUrl.Live))
  )

  it.scopedLive("does not wait for a connection without any request", () =>
    Effect.gen(function* () {
      const service = yield* launch("serve", {
        ...base(yield* temporaryFolder),
        DATABASE_URL: Redacted.value(yield* TestDatabaseUrl),
        SHUTDOWN_GRACE: "60 seconds"
      })
      const { hostname, port } = new URL(service.baseUrl)
      const socket = yield* Effect.acquireRelease(
        Effect.promise(async () => {
          const made = connect(Number(port), hostname)
          await once(made, "connect")
          return made
        }),
        (made) => Effect.sync(() => made.destroy())
      )
      socket.resume()
      assert.strictEqual(yield* stop(service), 0)
    }).pipe(Effect.provide(TestDatabaseUrl.Live))
  )
})
