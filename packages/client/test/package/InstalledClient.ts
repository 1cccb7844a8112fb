import { execFile } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import { repositoryFile } from "@switchboard/domain/testing/RepositoryFile"
import { Context, Effect, Layer, Schema } from "effect"

/** The parts of a package.json that the tests read. */
const Manifest = Schema.parseJson(
  Schema.Struct({
    version: Schema.String,
    dependencies: Schema.optional(Schema.Record({ key: Schema.String, value: Schema.String })),
    peerDependencies: Schema.optional(Schema.Record({ key: Schema.String, value: Schema.String }))
  })
)

const Packed = Schema.parseJson(Schema.Tuple(Schema.Struct({ filename: Schema.String, unpackedSize: Schema.Number })))

/** Runs npm; fails with its output. */
export const npm = (folder: string, ...args: ReadonlyArray<string>) =>
  Effect.promise(() => promisify(execFile)("npm", [...args], { cwd: folder, maxBuffer: 16 * 1024 * 1024 }))

/** The manifest of an installed package. */
export const manifestOf = (folder: string, name: string) =>
  Schema.decodeSync(Manifest)(readFileSync(join(folder, "node_modules", name, "package.json"), "utf8"))

/** The packed client, installed with its peers into an empty folder. */
export class InstalledClient extends Context.Tag("test/InstalledClient")<
  InstalledClient,
  {
    readonly folder: string
    /** The size of the files of the package, in bytes. */
    readonly unpackedSize: number
  }
>() {
  static readonly Live = Layer.scoped(
    InstalledClient,
    Effect.gen(function* () {
      const folder = yield* Effect.acquireRelease(
        Effect.sync(() => mkdtempSync(join(tmpdir(), "switchboard-client-"))),
        (created) => Effect.sync(() => rmSync(created, { recursive: true, force: true }))
      )
      // Without scripts: `prepack` would rebuild the files that other tests run.
      const packing = ["pack", "--json", "--ignore-scripts", "--pack-destination", folder]
      const { stdout } = yield* npm(repositoryFile("packages/client"), ...packing)
      const [{ filename, unpackedSize }] = yield* Schema.decode(Packed)(stdout)
      const peers = ["effect", "@effect/platform"].map((name) => {
        const { version } = manifestOf(repositoryFile(""), name)
        return `${name}@${version}`
      })
      writeFileSync(join(folder, "package.json"), JSON.stringify({ type: "module" }))
      // The cache has the peers since the installation of the repository.
      const options = ["--prefer-offline", "--ignore-scripts", "--no-audit", "--no-fund"]
      yield* npm(folder, "install", ...options, `./${filename}`, ...peers)
      return { folder, unpackedSize }
    }).pipe(Effect.orDie)
  )
}
