import { readFileSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as NodeContext from "@effect/platform-node/NodeContext"
import { assert, describe, it } from "@effect/vitest"
import { IsTerminal, showFirstKey } from "@switchboard/server/run/FirstStart"
import { Parts } from "@switchboard/server/run/Parts"
import { Settings } from "@switchboard/server/settings/Settings"
import { ConfigProvider, Effect, Layer, Logger, Redacted } from "effect"
import { temporaryFolder } from "../LiveService.js"

const key = `sk_sm_${"k".repeat(40)}`

/** Shows the key; returns the printed and the logged lines. */
const shown = (isTerminal: boolean, settings: Readonly<Record<string, string>>) =>
  Effect.gen(function* () {
    const lines: Array<string> = []
    const own = yield* Effect.consoleWith(Effect.succeed)
    const output = { ...own, log: (line: string) => Effect.sync(() => void lines.push(line)) }
    const logger = Logger.replace(
      Logger.defaultLogger,
      Logger.make(({ message }) => void lines.push(String(message)))
    )
    yield* showFirstKey("http://127.0.0.1:3000", Redacted.make(key)).pipe(
      Effect.withConsole(output),
      Effect.provideService(IsTerminal, isTerminal),
      Effect.provideService(Parts, { api: true, worker: true }),
      Effect.provide(Layer.mergeAll(logger, Settings.Live, NodeContext.layer)),
      Effect.withConfigProvider(ConfigProvider.fromMap(new Map(Object.entries(settings))))
    )
    return lines.join("\n")
  })

describe("The generated first API key", () => {
  it.scopedLive("is printed on a terminal", () =>
    Effect.gen(function* () {
      const output = yield* shown(true, { DATA_DIR: join(yield* temporaryFolder, "none") })
      assert.include(output, `  ${key}\n`)
      assert.include(output, `  export KEY=${key}\n`)
      assert.include(output, '-H "X-API-Key: $KEY"')
    })
  )

  it.scopedLive(
    "is in a file of mode 0600 without a terminal or with LOG_FORMAT=json, and replaces an earlier one",
    () =>
      Effect.gen(function* () {
        const folder = yield* temporaryFolder
        for (const [name, isTerminal, settings] of [
          ["new", false, {}],
          ["pretty", false, { LOG_FORMAT: "pretty" }],
          [".", true, { LOG_FORMAT: "json" }]
        ] as const) {
          const file = join(folder, name, "first-api-key")
          if (name === ".") writeFileSync(file, "sk_sm_earlier", { mode: 0o644 })
          const output = yield* shown(isTerminal, { DATA_DIR: join(folder, name), ...settings })
          assert.include(output, file)
          assert.notInclude(output, key)
          assert.strictEqual(readFileSync(file, "utf8"), `${key}\n`)
          assert.strictEqual(statSync(file).mode & 0o777, 0o600)
        }
      })
  )

  it.scopedLive("stops the start if the file can't be written", () =>
    Effect.gen(function* () {
      const folder = join(yield* temporaryFolder, "file")
      writeFileSync(folder, "")
      const error = yield* Effect.flip(shown(false, { DATA_DIR: folder }))
      assert.match(
        String(Reflect.get(Object(error), "message")),
        /first-api-key: let DATA_DIR name .*or set BOOTSTRAP_API_KEY/
      )
    })
  )
})
