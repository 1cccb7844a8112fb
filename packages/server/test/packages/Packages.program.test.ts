import { execFile } from "node:child_process"
import { readdirSync, readFileSync } from "node:fs"
import { promisify } from "node:util"
import { assert, describe, it } from "@effect/vitest"
import { repositoryFile } from "@switchboard/domain/testing/RepositoryFile"
import { Effect, Schema } from "effect"

const Versions = Schema.optionalWith(Schema.Record({ key: Schema.String, value: Schema.String }), {
  default: () => ({})
})

const Manifest = Schema.parseJson(
  Schema.Struct({
    name: Schema.String,
    version: Schema.String,
    license: Schema.String,
    dependencies: Versions,
    devDependencies: Versions,
    optionalDependencies: Versions
  })
)

const manifestIn = (folder: string) =>
  Schema.decodeSync(Manifest)(readFileSync(repositoryFile(`${folder}/package.json`), "utf8"))

const folders = readdirSync(repositoryFile("packages"), { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => `packages/${name}`)

const packages = folders.map(manifestIn)

const { version } = manifestIn(".")

const Packed = Schema.parseJson(
  Schema.Array(Schema.Struct({ name: Schema.String, files: Schema.Array(Schema.Struct({ path: Schema.String })) }))
)

const BillOfMaterials = Schema.parseJson(
  Schema.Struct({
    bomFormat: Schema.Literal("CycloneDX"),
    components: Schema.Array(
      Schema.Struct({
        purl: Schema.String,
        licenses: Schema.optional(Schema.Array(Schema.Unknown))
      })
    )
  })
)

/** The output of npm in the repository. */
const npm = (...args: ReadonlyArray<string>) =>
  Effect.promise(() =>
    promisify(execFile)("npm", [...args], { cwd: repositoryFile(""), maxBuffer: 64 * 1024 * 1024 })
  ).pipe(Effect.map(({ stdout }) => stdout))

describe("The packages", () => {
  it("have the version of the repository, and depend on exactly that version of each other", () => {
    for (const { dependencies, devDependencies, name, version: own } of packages) {
      assert.strictEqual(own, version, name)
      for (const [dependency, range] of Object.entries({ ...dependencies, ...devDependencies })) {
        if (dependency.startsWith("@switchboard/")) assert.strictEqual(range, version, `${name} on ${dependency}`)
      }
    }
  })

  it("have an entry in the changelog", () => {
    const [newest] =
      /^## \[[^\]]*\] - \d{4}-\d\d-\d\d$/m.exec(readFileSync(repositoryFile("CHANGELOG.md"), "utf8")) ?? []
    assert.include(newest, `[${version}]`)
  })

  it.live("are published with the license", () =>
    Effect.gen(function* () {
      const license = readFileSync(repositoryFile("LICENSE"), "utf8")
      const packed = Schema.decodeSync(Packed)(
        yield* npm("pack", "--workspaces", "--dry-run", "--json", "--ignore-scripts")
      )
      assert.sameMembers(
        packed.map(({ name }) => name),
        packages.map(({ name }) => name)
      )
      for (const { files, name } of packed) {
        assert.include(
          files.map(({ path }) => path),
          "LICENSE",
          name
        )
      }
      for (const folder of folders) {
        assert.strictEqual(readFileSync(repositoryFile(`${folder}/LICENSE`), "utf8"), license, folder)
        assert.strictEqual(manifestIn(folder).license, "MIT")
      }
    })
  )

  it("with bundled libraries have the licenses of these", () => {
    for (const [file, ...libraries] of [
      ["server/dist/program/licenses.md", "effect", "pg", "@effect/sql-pg", "ioredis"],
      ["console/dist/page/licenses.md", "preact"]
    ]) {
      const text = readFileSync(repositoryFile(`packages/${file}`), "utf8")
      for (const library of libraries) assert.match(text, new RegExp(`^## ${library} .*\\bMIT\\b`, "m"))
      assert.include(text, "Permission is hereby granted")
    }
  })

  it.live("and their dependencies are in the bill of materials, with their licenses", () =>
    Effect.gen(function* () {
      const { components } = Schema.decodeSync(BillOfMaterials)(yield* npm("run", "--silent", "sbom"))
      const listed = new Set(
        components.filter(({ licenses }) => licenses !== undefined).map(({ purl }) => decodeURIComponent(purl))
      )
      for (const { dependencies, name, optionalDependencies } of packages) {
        assert.isTrue(listed.has(`pkg:npm/${name}@${version}`), name)
        for (const [dependency, range] of Object.entries({ ...dependencies, ...optionalDependencies })) {
          assert.isTrue(listed.has(`pkg:npm/${dependency}@${range}`), `${dependency} of ${name}`)
        }
      }
    })
  )
})
