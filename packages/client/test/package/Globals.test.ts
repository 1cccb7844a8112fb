import { assert, describe, it } from "@effect/vitest"
import { repositoryFile } from "@switchboard/domain/testing/RepositoryFile"
import { Effect } from "effect"
import { build } from "esbuild"

const sources = ["Switchboard", "promise/Switchboard", "webhooks/Webhooks"]

/** Globals of Node.js that browsers do not have. */
const nodeGlobals = ["Buffer", "__dirname", "__filename", "exports", "global", "module", "process", "setImmediate"]

describe("the code of the client", () => {
  it.effect("uses no global and no module of Node.js", () =>
    Effect.gen(function* () {
      const { metafile, outputFiles } = yield* Effect.promise(() =>
        build({
          entryPoints: sources.map((source) => repositoryFile(`packages/client/src/${source}.ts`)),
          outdir: "unused",
          bundle: true,
          splitting: true,
          format: "esm",
          platform: "neutral",
          conditions: ["@switchboard/source"],
          external: ["effect", "@effect/platform"],
          // Replaces only the global of this name: no text, and no variable.
          define: Object.fromEntries(nodeGlobals.map((name) => [name, `NODE_GLOBAL_${name}`])),
          metafile: true,
          write: false
        })
      )
      const code = outputFiles.map(({ text }) => text).join("\n")
      assert.include(code, "getRandomValues")
      assert.deepStrictEqual(
        [...code.matchAll(/NODE_GLOBAL_\w+/g)].map(([name]) => name),
        []
      )
      const imports = Object.values(metafile.outputs).flatMap((output) => output.imports.map(({ path }) => path))
      assert.deepStrictEqual(
        imports.filter((path) => /^node:/.test(path)),
        []
      )
    })
  )
})
