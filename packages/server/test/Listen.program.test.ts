import { spawn } from "node:child_process"
import { createInterface } from "node:readline"
import { assert, layer } from "@effect/vitest"
import { Deferred, Effect } from "effect"
import { LiveService } from "./LiveService.js"
import { ended, program } from "./ServiceProcess.js"

layer(LiveService.Shared, { excludeTestServices: true })("The program switchboard listen", (it) => {
  it.scoped("exits with 0 at Ctrl-C", () =>
    Effect.gen(function* () {
      const { baseUrl, key } = yield* LiveService
      const child = yield* Effect.acquireRelease(
        Effect.sync(() =>
          spawn(process.execPath, [program, "listen", "--forward-to", "http://127.0.0.1:9"], {
            env: { SWITCHBOARD_API_KEY: key, SWITCHBOARD_URL: baseUrl },
            stdio: ["ignore", "pipe", "inherit"]
          })
        ),
        (one) => Effect.sync(() => one.kill("SIGKILL"))
      )
      const isListening = yield* Deferred.make<void>()
      createInterface(child.stdout).on("line", (line) => {
        if (line.startsWith("Listening to http")) Deferred.unsafeDone(isListening, Effect.void)
      })
      yield* Deferred.await(isListening)
      child.kill("SIGINT")
      assert.strictEqual(yield* ended(child), 0)
    })
  )
})
