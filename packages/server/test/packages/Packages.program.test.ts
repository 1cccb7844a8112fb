import { execFile } from "node:child_process"
import { readdirSync, readFileSync } from "node:fs"
import { createServer, type Server } from "node:http"
import { join } from "node:path"
import { promisify } from "node:util"
import { assert, describe, it } from "@effect/vitest"
import { repositoryFile } from "@switchboard/domain/testing/RepositoryFile"
import { Effect, Schema } from "effect"
import { publint } from "publint"
import { formatMessage } from "publint/utils"
import { temporaryFolder } from "../LiveService.js"

const Versions = Schema.optionalWith(Schema.Record({ key: Schema.String, value: Schema.String }), {
  default: () => ({})
})

const Manifest = Schema.parseJson(
  Schema.Struct({
    name: Schema.String,
    version: Schema.String,
    license: Schema.String,
    publishConfig: Schema.optional(Schema.Struct({ access: Schema.Literal("public"), provenance: Schema.Boolean })),
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

const Published = Schema.parseJson(
  Schema.Record({
    key: Schema.String,
    value: Schema.Struct({ version: Schema.String, files: Schema.Array(Schema.Struct({ path: Schema.String })) })
  })
)

const LockFile = Schema.parseJson(
  Schema.Struct({
    packages: Schema.Record({
      key: Schema.String,
      value: Schema.Struct({
        dev: Schema.optional(Schema.Boolean),
        optional: Schema.optional(Schema.Boolean),
        devOptional: Schema.optional(Schema.Boolean),
        hasInstallScript: Schema.optional(Schema.Boolean),
        cpu: Schema.optional(Schema.Array(Schema.String)),
        os: Schema.optional(Schema.Array(Schema.String))
      })
    })
  })
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

/** The URL of a registry without packages. */
const emptyRegistry = Effect.acquireRelease(
  Effect.async<Server>((resume) => {
    const server = createServer((_request, response) => response.writeHead(404).end())
    server.listen(0, "127.0.0.1", () => resume(Effect.succeed(server)))
  }),
  (server) => Effect.sync(() => server.close())
).pipe(
  Effect.map((server) => {
    const address = server.address()
    return `http://127.0.0.1:${address instanceof Object ? address.port : 0}/`
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

  it.scopedLive("are accepted by npm publish, with the license", () =>
    Effect.gen(function* () {
      const license = readFileSync(repositoryFile("LICENSE"), "utf8")
      // `--dry-run` sends no package, and signs no provenance.
      const registry = yield* emptyRegistry
      const published = yield* Schema.decode(Published)(
        yield* npm("publish", "--workspaces", "--dry-run", "--json", "--ignore-scripts", "--registry", registry)
      )
      assert.sameMembers(
        Object.keys(published),
        packages.map(({ name }) => name)
      )
      for (const folder of folders) {
        const { license: spdx, name, publishConfig } = manifestIn(folder)
        assert.strictEqual(readFileSync(repositoryFile(`${folder}/LICENSE`), "utf8"), license, folder)
        assert.strictEqual(spdx, "MIT")
        assert.deepStrictEqual(publishConfig, { access: "public", provenance: true }, name)
        const paths = published[name]?.files.map(({ path }) => path) ?? []
        assert.include(paths, "LICENSE", name)
        assert.deepStrictEqual(
          paths.filter((path) => /(^|\/)(test|node_modules|\.data)\//.test(path)),
          [],
          name
        )
      }
    })
  )

  it.scopedLive("have exports with types that publint accepts", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder
      yield* npm("pack", "--workspaces", "--ignore-scripts", "--pack-destination", folder)
      for (const { name } of packages) {
        const file = join(folder, `${name.slice(1).replace("/", "-")}-${version}.tgz`)
        const tarball = Uint8Array.from(readFileSync(file)).buffer
        const { messages, pkg } = yield* Effect.promise(() => publint({ pack: { tarball }, strict: true }))
        // Only this repository sets the condition of the sources, for tests too.
        const others = messages.filter(({ path }) => path.at(-1) !== "@switchboard/source")
        assert.deepStrictEqual(
          others.map((message) => formatMessage(message, pkg, { color: false })),
          [],
          name
        )
      }
    })
  )

  it("have no native code, except optional parts and a watcher of files that is not used", () => {
    const { packages: locked } = Schema.decodeSync(LockFile)(readFileSync(repositoryFile("package-lock.json"), "utf8"))
    const native = Object.entries(locked).filter(
      ([, { cpu, dev, devOptional, hasInstallScript, os }]) =>
        dev !== true && devOptional !== true && (cpu !== undefined || os !== undefined || hasInstallScript === true)
    )
    assert.isNotEmpty(native)
    for (const [path, { optional }] of native) {
      if (path !== "node_modules/@parcel/watcher") assert.isTrue(optional, path)
    }
    const bundled = readdirSync(repositoryFile("packages/server/dist/program"), { recursive: true })
    assert.notMatch(bundled.join("\n"), /\.node$/m)
  })

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
