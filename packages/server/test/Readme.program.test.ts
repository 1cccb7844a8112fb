import { execFile } from "node:child_process"
import { randomUUID } from "node:crypto"
import { readFileSync, rmSync, writeFileSync } from "node:fs"
import { promisify } from "node:util"
import { assert, layer } from "@effect/vitest"
import { repositoryFile } from "@switchboard/domain/testing/RepositoryFile"
import { Effect, Schedule } from "effect"
import { LiveService, send } from "./LiveService.js"

const read = (file: string) => readFileSync(repositoryFile(file), "utf8")

/** Runs the example under a heading of a README, as a file in a folder in which its imports resolve; returns its output. */
const exampleOf = (readme: string, folder: string) =>
  Effect.fnUntraced(function* (heading: string) {
    const { baseUrl, key } = yield* LiveService
    const [, section = ""] = read(readme).split(new RegExp(`^##? ${heading}$`, "m"))
    const [, program = ""] = /```(?:js|ts)\n([\s\S]*?)```/.exec(section) ?? []
    const file = repositoryFile(`${folder}readme-example-${randomUUID()}.mjs`)
    const { stdout } = yield* Effect.acquireUseRelease(
      Effect.sync(() => writeFileSync(file, program.replace("http://127.0.0.1:3000", baseUrl))),
      () =>
        Effect.promise(() =>
          promisify(execFile)(process.execPath, [file], {
            env: { ...process.env, KEY: key, SWITCHBOARD_API_KEY: key, SWITCHBOARD_URL: baseUrl }
          })
        ),
      () => Effect.sync(() => rmSync(file))
    )
    return stdout
  })

const example = exampleOf("packages/client/README.md", "packages/client/")

layer(LiveService.Shared, { excludeTestServices: true })("The README", (it) => {
  it.effect("has an example of the client, which runs as a file in the checkout", () =>
    Effect.gen(function* () {
      assert.match(yield* exampleOf("README.md", "")("Send a message"), /^[0-9a-f-]{36} is (?:pending|delivered)\n$/)
    })
  )
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
