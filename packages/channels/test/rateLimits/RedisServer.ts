import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { freePort } from "@switchboard/domain/testing/FreePort"
import { skipWithout } from "@switchboard/domain/testing/Programs"
import { Effect } from "effect"

/** Why tests in Redis are skipped; empty if they run. */
export const noRedis = skipWithout("redis-server")

const stopped = async (server: ChildProcess) => {
  if (server.exitCode !== null || server.signalCode !== null) return
  server.kill("SIGKILL")
  await once(server, "exit")
}

/** A redis-server process on a free port, which can be started, killed, frozen (SIGSTOP) and thawed (SIGCONT). */
export const redisServer = (password = "") =>
  Effect.gen(function* () {
    const port = yield* freePort
    const directory = yield* Effect.acquireRelease(
      Effect.sync(() => mkdtempSync(join(tmpdir(), "switchboard-redis-"))),
      (path) => Effect.sync(() => rmSync(path, { recursive: true }))
    )
    const options = {
      port: String(port),
      bind: "127.0.0.1",
      save: "",
      appendonly: "no",
      dir: directory,
      ...(password === "" ? {} : { requirepass: password })
    }
    let server: ChildProcess | undefined
    const start = Effect.promise(async () => {
      const args = Object.entries(options).flatMap(([name, value]) => [`--${name}`, value])
      const child = spawn("redis-server", args, { stdio: ["ignore", "pipe", "inherit"] })
      server = child
      for await (const line of createInterface(child.stdout)) if (line.includes("Ready to accept")) break
      child.stdout.resume()
    })
    const kill = Effect.promise(async () => {
      if (server !== undefined) await stopped(server)
    })
    yield* Effect.addFinalizer(() => kill)
    const freeze = Effect.sync(() => server?.kill("SIGSTOP"))
    const thaw = Effect.sync(() => server?.kill("SIGCONT"))
    return { address: `127.0.0.1:${port}`, start, kill, freeze, thaw }
  })
