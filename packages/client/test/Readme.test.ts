import { execFile } from "node:child_process"
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { createRequire } from "node:module"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { pathToFileURL } from "node:url"
import { promisify } from "node:util"
import { assert, describe, it } from "@effect/vitest"
import { repositoryFile } from "@switchboard/domain/testing/RepositoryFile"
import { Effect } from "effect"
import { Webhook } from "standardwebhooks"

const examples = [
  ...readFileSync(repositoryFile("packages/client/README.md"), "utf8").matchAll(/```ts\n([\s\S]*?)```/g)
].map(([, program = ""]) => program)

/** The packages that a consumer installs: of this repository only the client. */
const dependencies = ["@switchboard/client", "@effect/platform", "@types/node", "effect", "standardwebhooks"]

const configuration = {
  compilerOptions: {
    target: "ES2022",
    lib: ["ES2023"],
    module: "NodeNext",
    moduleDetection: "force",
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    types: ["node"],
    skipLibCheck: true,
    noEmitOnError: true
  }
}

const project = Effect.acquireRelease(
  Effect.sync(() => {
    const folder = mkdtempSync(join(tmpdir(), "switchboard-consumer-"))
    for (const name of dependencies) {
      const target = join(folder, "node_modules", name)
      mkdirSync(dirname(target), { recursive: true })
      symlinkSync(repositoryFile(`node_modules/${name}`), target)
    }
    writeFileSync(join(folder, "package.json"), JSON.stringify({ type: "module" }))
    writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(configuration))
    return folder
  }),
  (folder) => Effect.sync(() => rmSync(folder, { recursive: true }))
)

const compiler = join(dirname(createRequire(import.meta.url).resolve("typescript/package.json")), "bin/tsc")

/** Fails with the output of the compiler. */
const compile = (folder: string) =>
  Effect.tryPromise({
    try: () => promisify(execFile)(process.execPath, [compiler, "--project", folder]),
    catch: (error) => (error instanceof Object && "stdout" in error ? String(error.stdout) : String(error))
  })

describe("the examples of the README", () => {
  it.scoped("compile with only the client installed", () =>
    Effect.gen(function* () {
      const folder = yield* project
      for (const [at, program] of examples.entries()) writeFileSync(join(folder, `example-${at}.ts`), program)
      assert.lengthOf(examples, 5)
      yield* compile(folder)
      const { describeEvent } = yield* Effect.promise(() => import(pathToFileURL(join(folder, "example-4.js")).href))
      const secret = `whsec_${Buffer.alloc(24, 7).toString("base64")}`
      const body = JSON.stringify({ id: "1", type: "moon.risen", data: {} })
      const signed = {
        "webhook-id": "1",
        "webhook-timestamp": String(Math.floor(Date.now() / 1_000)),
        "webhook-signature": new Webhook(secret).sign("1", new Date(), body)
      }
      assert.strictEqual(describeEvent(secret, body, signed), "this client is older than moon.risen")
      assert.throws(() => describeEvent(secret, `${body} `, signed))
    })
  )

  it.scoped("do not compile with an invalid literal", () =>
    Effect.gen(function* () {
      const folder = yield* project
      writeFileSync(join(folder, "example.ts"), (examples[0] ?? "").replace('"email",', '"owl",'))
      assert.include(yield* Effect.flip(compile(folder)), `Type '"owl"' is not assignable`)
    })
  )
})
