import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { repositoryFile } from "@switchboard/domain/testing/RepositoryFile"
import { Effect, GlobalValue } from "effect"
import { build } from "esbuild"
import { processFolder } from "./ProcessFolder.js"

const built = (path: string) => repositoryFile(`packages/${path}`)

/** What CommonJS modules in a bundle call. */
const banner = `import { createRequire } from "node:module"; const require = createRequire(import.meta.url);`

const bundle = async (): Promise<string> => {
  const folder = processFolder("bundle")
  await build({
    entryPoints: {
      main: built("server/dist/main.js"),
      // Started by its path, beside what starts it.
      MailThread: built("channels/dist/email/receiving/MailThread.js")
    },
    outdir: folder,
    bundle: true,
    splitting: true,
    platform: "node",
    format: "esm",
    target: "node20",
    banner: { js: banner },
    logLevel: "error"
  })
  writeFileSync(join(folder, "package.json"), `{ "type": "module" }`)
  return join(folder, "main.js")
}

const made = GlobalValue.globalValue("test/BundledProgram", (): { program?: Promise<string> } => ({}))

/** The built program as a few files, made once a process: it starts in a third of the time. */
export const bundledProgram = Effect.promise(() => (made.program ??= bundle()))
