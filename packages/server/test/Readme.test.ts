import { execFile } from "node:child_process"
import { readFileSync, rmSync, writeFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { settingDocs } from "../src/Settings.js"
import { adminKey, LiveService } from "./LiveService.js"

const read = (file: string) => readFileSync(new URL(file, import.meta.url), "utf8")

layer(LiveService.layer(), { excludeTestServices: true, timeout: "60 seconds" })("The README", (it) => {
  it.effect("lists every setting as the program knows it", () =>
    Effect.sync(() => {
      const readme = read("../../../README.md")
      for (const { default: value, meaning, name, type } of settingDocs) {
        assert.include(readme, `| \`${name}\` | ${type} | ${value} | ${meaning} |`)
      }
    })
  )

  it.effect("of the client has an example that runs", () =>
    Effect.gen(function* () {
      const { baseUrl } = yield* LiveService
      const [, program = ""] = /```ts\n([\s\S]*?)```/.exec(read("../../client/README.md")) ?? []
      // Beside the client's own code, so that its imports are found as a consumer's are.
      const file = fileURLToPath(new URL("../../client/readme-example.mjs", import.meta.url))
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
      assert.match(stdout, /^[0-9a-f-]{36} is pending\n$/)
    })
  )
})
