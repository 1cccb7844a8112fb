import { cpSync, existsSync, mkdirSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { repositoryFile } from "@switchboard/domain/testing/RepositoryFile"
import { settingDocs } from "@switchboard/server/settings/Settings"
import { TestDatabaseUrl } from "@switchboard/store/testing/TestDatabase"
import { Effect, Redacted, Schema } from "effect"
import { caller, send, temporaryFolder, until } from "../LiveService.js"
import { base, ended, launch } from "../ServiceProcess.js"

const dockerfile = readFileSync(repositoryFile("Dockerfile"), "utf8")

/** The files that the image takes from the build: their paths in the repository and in the image. */
const copies = [...dockerfile.matchAll(/^COPY --from=build \/build\/(\S+) (\S+)$/gm)].map(
  ([, from = "", to = ""]) => [from, to.endsWith("/") ? join(to, from.slice(from.lastIndexOf("/") + 1)) : to] as const
)

const Scripts = Schema.parseJson(
  Schema.Struct({ scripts: Schema.Struct({ build: Schema.String, compile: Schema.String }) })
)

describe("The image", () => {
  it.scopedLive("has every file that the program needs, without node_modules", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder
      for (const [from, to] of copies) {
        mkdirSync(dirname(join(folder, to)), { recursive: true })
        cpSync(repositoryFile(from), join(folder, to), { recursive: true })
      }
      const file = join(folder, "packages/server/bin/switchboard.js")
      const environment = {
        ...base(join(folder, "data")),
        DATABASE_URL: Redacted.value(yield* TestDatabaseUrl)
      }
      const { baseUrl, child } = yield* launch("serve", environment, [], file)
      const call = caller(baseUrl)
      const { body } = yield* call("POST", "/v1/messages", send())
      yield* until(call("GET", `/v1/messages/${body.id}`), (response) => response.body.status === "delivered")
      for (const [path, text] of [
        ["/console/", "<title>Switchboard</title>"],
        ["/v1/docs", "<!doctype html>"]
      ] as const) {
        const page = yield* Effect.promise(() => fetch(`${baseUrl}${path}`).then((response) => response.text()))
        assert.include(page, text)
      }
      child.kill("SIGTERM")
      assert.strictEqual(yield* ended(child), 0)
      assert.isFalse(existsSync(join(folder, "node_modules")))
    }).pipe(Effect.provide(TestDatabaseUrl.Live))
  )

  it("has every script of the build in its context", () => {
    const { scripts } = Schema.decodeSync(Scripts)(readFileSync(repositoryFile("package.json"), "utf8"))
    const run = [...`${scripts.compile} ${scripts.build}`.matchAll(/node (scripts\/\S+\.js)/g)].map(
      ([, file = ""]) => file
    )
    const imported = run.flatMap((file) =>
      [...readFileSync(repositoryFile(file), "utf8").matchAll(/import\("\.\/(\S+\.js)"/g)].map(
        ([, name]) => `scripts/${name}`
      )
    )
    assert.isNotEmpty(imported)
    const included = readFileSync(repositoryFile(".dockerignore"), "utf8").matchAll(/^!(.*)$/gm)
    assert.includeMembers(
      [...included].map(([, file]) => file),
      [...run, ...imported]
    )
  })

  it("sets settings that exist, and runs as a user other than root", () => {
    const known = ["NODE_ENV", ...settingDocs.map(({ name }) => name)]
    const [, environment = ""] = /^ENV ((?:.*\\\n)*.*)$/m.exec(dockerfile) ?? []
    const names = [...environment.matchAll(/(\w+)=/g)].map(([, name]) => name)
    assert.isNotEmpty(names)
    assert.includeMembers(known, names)
    // A RUN of the last stage would need emulation to build for another architecture.
    assert.notMatch(dockerfile.slice(dockerfile.lastIndexOf("\nFROM ")), /^RUN /m)
    assert.match(dockerfile, /^USER [1-9]\d*:[1-9]\d*$/m)
  })
})
