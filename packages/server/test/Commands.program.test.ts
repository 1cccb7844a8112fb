import { readFileSync } from "node:fs"
import { assert, describe, it } from "@effect/vitest"
import { repositoryFile } from "@switchboard/domain/testing/RepositoryFile"
import { Effect } from "effect"
import { failing, run } from "./ServiceProcess.js"

describe("The program of the commands", () => {
  it.live("prints the version of package.json", () =>
    Effect.gen(function* () {
      const { version } = JSON.parse(readFileSync(repositoryFile("packages/server/package.json"), "utf8"))
      assert.strictEqual((yield* run(["--version"], {})).stdout.trim(), version)
    })
  )

  it.live("ends a defect with its cause", () =>
    Effect.gen(function* () {
      // `listen` makes its signing secret by this function.
      const broken = `import crypto from "node:crypto"
        import { syncBuiltinESMExports } from "node:module"
        crypto.randomBytes = () => { throw new TypeError("broken") }
        syncBuiltinESMExports()`
      const text = yield* failing(["listen", "--forward-to", "http://127.0.0.1:9"], {
        SWITCHBOARD_API_KEY: "key",
        NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(broken)}`
      })
      assert.match(text, /^switchboard: this is a bug of Switchboard: TypeError: broken\n +at /)
    })
  )
})
