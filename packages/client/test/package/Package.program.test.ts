import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { assert, layer } from "@effect/vitest"
import { repositoryFile } from "@switchboard/domain/testing/RepositoryFile"
import { Effect, Option, Schema } from "effect"
import { build } from "esbuild"
import { InstalledClient, manifestOf, npm } from "./InstalledClient.js"

const peers = ["@effect/platform", "effect"]

/** The package of an import: `effect` for `effect/Stream`. */
const packageOf = (specifier: string) => specifier.split("/", specifier.startsWith("@") ? 2 : 1).join("/")

const Lock = Schema.parseJson(Schema.Struct({ packages: Schema.Record({ key: Schema.String, value: Schema.Unknown }) }))

const publishedFolder = Effect.map(InstalledClient, ({ folder }) =>
  join(folder, "node_modules/@switchboard/client/dist/package")
)

layer(InstalledClient.Live)("The package of the client", (it) => {
  it.effect("has at most 3 MB unpacked", () =>
    Effect.gen(function* () {
      const { unpackedSize } = yield* InstalledClient
      assert.isAtMost(unpackedSize, 3_000_000)
    })
  )

  it.effect("depends only on its peers, which bring at most 10 packages", () =>
    Effect.gen(function* () {
      const { folder } = yield* InstalledClient
      const { dependencies, peerDependencies = {} } = manifestOf(folder, "@switchboard/client")
      assert.isUndefined(dependencies)
      assert.sameMembers(Object.keys(peerDependencies), peers)
      const { packages } = Schema.decodeSync(Lock)(
        readFileSync(join(folder, "node_modules/.package-lock.json"), "utf8")
      )
      const names = Object.keys(packages).map((path) => path.slice(path.lastIndexOf("node_modules/") + 13))
      const others = names.filter((name) => ![...peers, "@switchboard/client"].includes(name))
      assert.strictEqual(names.length - others.length, 3)
      assert.isAtMost(others.length, 10)
    })
  )

  it.effect("imports only its peers, in code and types", () =>
    Effect.gen(function* () {
      const folder = yield* publishedFolder
      const files = readdirSync(folder)
      const { metafile } = yield* Effect.promise(() =>
        build({
          entryPoints: files.filter((name) => name.endsWith(".js")).map((name) => join(folder, name)),
          outdir: folder,
          bundle: true,
          format: "esm",
          packages: "external",
          metafile: true,
          write: false
        })
      )
      const imported = Object.values(metafile.outputs).flatMap(({ imports }) => imports.map(({ path }) => path))
      const typeImports = files
        .filter((name) => name.endsWith(".d.ts"))
        .flatMap((name) => [
          ...readFileSync(join(folder, name), "utf8").matchAll(
            /^(?:import|export) .* from '([^']+)'|\bimport\(["']([^"']+)["']/gm
          )
        ])
        .flatMap(([, specifier, inline]) => Option.toArray(Option.fromNullable(specifier ?? inline)))
        .filter((specifier) => !specifier.startsWith("."))
      assert.sameMembers([...new Set(imported.map(packageOf))], peers)
      assert.sameMembers([...new Set(typeImports.map(packageOf))], peers)
    })
  )

  it.effect("and every other package of the repository can be published", () =>
    Effect.gen(function* () {
      const { stderr } = yield* npm(repositoryFile(""), "publish", "--workspaces", "--dry-run", "--ignore-scripts")
      assert.notInclude(stderr, "auto-corrected")
    })
  )
})
