import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { repositoryFile } from "@switchboard/domain/testing/RepositoryFile"
import { build } from "esbuild"
import type { TestProject } from "vitest/node"

declare module "vitest" {
  interface ProvidedContext {
    /** The URL of the compiled program of the worker threads that read mail. */
    readonly mimeWorker: string
  }
}

/** Compiles the program of the worker threads: Node.js 20 runs no TypeScript. */
export default async function setup(project: TestProject) {
  const outfile = join(project.getProvidedContext().runFolder, "MimeWorker.mjs")
  await build({
    bundle: true,
    format: "esm",
    platform: "node",
    target: "node20",
    conditions: ["@switchboard/source"],
    entryPoints: [repositoryFile("packages/channels/src/email/receiving/reading/MimeWorker.ts")],
    outfile,
    // Bundled CommonJS modules call `require`, which ES modules lack.
    banner: {
      js: `import { createRequire as requireOf } from "node:module"; const require = requireOf(import.meta.url);`
    },
    logLevel: "warning"
  })
  project.provide("mimeWorker", pathToFileURL(outfile).href)
}
