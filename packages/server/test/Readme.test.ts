import { execFile } from "node:child_process"
import { readFileSync, rmSync, writeFileSync } from "node:fs"
import { promisify } from "node:util"
import { assert, layer } from "@effect/vitest"
import { repositoryFile } from "@switchboard/domain/testing/RepositoryFile"
import { settingDocs } from "@switchboard/server/settings/Settings"
import { Effect, Schedule } from "effect"
import { adminKey, LiveService, send } from "./LiveService.js"

const read = (file: string) => readFileSync(repositoryFile(file), "utf8")

/** Runs an example of the client's README, and answers what it said. */
const example = Effect.fnUntraced(function* (at: number) {
  const { baseUrl } = yield* LiveService
  const [, program = ""] = [...read("packages/client/README.md").matchAll(/```ts\n([\s\S]*?)```/g)][at] ?? []
  // Beside the client's own code, so that its imports are found as a consumer's are.
  const file = repositoryFile(`packages/client/readme-example-${at}.mjs`)
  const { stdout } = yield* Effect.acquireUseRelease(
    Effect.sync(() => writeFileSync(file, program)),
    () =>
      Effect.promise(() =>
        promisify(execFile)(process.execPath, [file], {
          env: { ...process.env, SWITCHBOARD_API_KEY: adminKey, SWITCHBOARD_URL: baseUrl }
        })
      ),
    () => Effect.sync(() => rmSync(file))
  )
  return stdout
})

layer(LiveService.layer(), { excludeTestServices: true, timeout: "60 seconds" })("The README", (it) => {
  it.effect("lists every setting as the program knows it", () =>
    Effect.sync(() => {
      const readme = read("README.md")
      for (const { default: value, meaning, name, type } of settingDocs) {
        assert.include(readme, `| \`${name}\` | ${type} | ${value} | ${meaning} |`)
      }
    })
  )

  it.effect("of the client has an example that runs", () =>
    Effect.gen(function* () {
      assert.match(yield* example(0), /^[0-9a-f-]{36} is pending\n$/)
    })
  )

  it.effect("of the client has an example that follows events", () =>
    Effect.gen(function* () {
      const { call } = yield* LiveService
      const sending = Effect.repeat(
        Effect.suspend(() => call("POST", "/v1/messages", send())),
        Schedule.spaced("250 millis")
      )
      // It hears what happens from when it listens on: so something does until it has heard enough.
      const said = yield* Effect.raceFirst(example(1), Effect.zipRight(sending, Effect.never))
      assert.match(said, /^message\.\w+ at \S+Z: [0-9a-f-]{36}\n/)
      assert.match(said, /message\.delivered at \S+Z: [0-9a-f-]{36}\n$/)
    })
  )

  it.effect("of the client has an example that exports", () =>
    Effect.gen(function* () {
      const { call } = yield* LiveService
      yield* call("POST", "/v1/messages", send())
      assert.match(yield* example(2), /^([0-9a-f-]{36} [a-z]+ \S.*\n)+$/)
    })
  )
})
