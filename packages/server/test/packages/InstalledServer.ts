import { readdirSync } from "node:fs"
import { join } from "node:path"
import { npm } from "@switchboard/client/testing/package/InstalledClient"
import { repositoryFile } from "@switchboard/domain/testing/RepositoryFile"
import { Context, Effect, Layer } from "effect"
import { temporaryFolder } from "../LiveService.js"

/** The packed server and its packages, installed into an empty folder without optional dependencies. */
export class InstalledServer extends Context.Tag("test/InstalledServer")<
  InstalledServer,
  {
    readonly folder: string
    /** The path of the program `switchboard`. */
    readonly file: string
  }
>() {
  static readonly Live = Layer.scoped(
    InstalledServer,
    Effect.gen(function* () {
      const folder = yield* temporaryFolder
      // Without scripts: `prepack` would rebuild the files that other tests run.
      yield* npm(repositoryFile(""), "pack", "--workspaces", "--ignore-scripts", "--pack-destination", folder)
      const files = readdirSync(folder).map((name) => `./${name}`)
      // The cache has the libraries since the installation of the repository.
      const options = ["--omit=optional", "--prefer-offline", "--ignore-scripts", "--no-audit", "--no-fund"]
      yield* npm(folder, "install", ...options, ...files)
      return { folder, file: join(folder, "node_modules/@switchboard/server/bin/switchboard.js") }
    })
  )
}
