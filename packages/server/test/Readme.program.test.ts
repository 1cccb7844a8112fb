import { execFile } from "node:child_process"
import { randomUUID } from "node:crypto"
import { readFileSync, rmSync, writeFileSync } from "node:fs"
import { promisify } from "node:util"
import { assert, layer } from "@effect/vitest"
import { repositoryFile } from "@switchboard/domain/testing/RepositoryFile"
import { Effect, Schedule } from "effect"
import { LiveService, send } from "./LiveService.js"

const read = (file: string) => readFileSync(repositoryFile(file), "utf8")

/** Runs the example under a heading of the client's README; returns its output. */
const example = Effect.fnUntraced(function* (heading: string) {
  const { baseUrl, key } = yield* LiveService
  const [, section = ""] = read("packages/client/README.md").split(new RegExp(`^##? ${heading}$`, "m"))
  const [, program = ""] = /```ts\n([\s\S]*?)```/.exec(section) ?? []
  // In the client's folder, so that imports resolve.
  const file = repositoryFile(`packages/client/readme-example-${randomUUID()}.mjs`)
  const { stdout } = yield* Effect.acquireUseRelease(
    Effect.sync(() => writeFileSync(file, program)),
    () =>
      Effect.promise(() =>
        promisify(execFile)(process.execPath, [file], {
          env: { ...process.env, SWITCHBOARD_API_KEY: key, SWITCHBOARD_URL: baseUrl }
        })
      ),
    () => Effect.sync(() => rmSync(file))
  )
  return stdout
})

layer(LiveService.Shared, { excludeTestServices: true })("The README of the client", (it) => {
  it.effect("has an example that sends", () =>
    Effect.gen(function* () {
      assert.match(yield* example("@switchboard/client"), /^[0-9a-f-]{36} is pending\n$/)
    })
  )

  it.effect("has an example that follows events", () =>
    Effect.gen(function* () {
      const { call } = yield* LiveService
      const sending = Effect.repeat(
        Effect.suspend(() => call("POST", "/v1/messages", send())),
        Schedule.spaced("250 millis")
      )
      // The stream begins with the subscription: messages are sent until the example has enough events.
      const output = yield* Effect.raceFirst(example("Events"), Effect.zipRight(sending, Effect.never))
      assert.match(output, /^message\.\w+ at \S+Z: [0-9a-f-]{36}\n/)
      assert.match(output, /message\.delivered at \S+Z: [0-9a-f-]{36}\n$/)
    })
  )

  it.effect("has an example that exports", () =>
    Effect.gen(function* () {
      const { call } = yield* LiveService
      yield* call("POST", "/v1/messages", send())
      assert.match(yield* example("Exports"), /^([0-9a-f-]{36} [a-z]+ \S.*\n)+$/)
    })
  )
})
