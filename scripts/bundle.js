// Bundles the server with its libraries, so that a process starts in a third of the time, the client with the declaration
// of the API, so that it installs as one package, and the console.
import { readFileSync, rmSync, writeFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { build } from "esbuild"
import { rollup } from "rollup"
import { dts } from "rollup-plugin-dts"
import { build as buildPage } from "vite"
import { licensesOf } from "./licenses.js"

const packages = new URL("../packages/", import.meta.url)
const fileOf = (path) => fileURLToPath(new URL(path, packages))

const options = {
  bundle: true,
  splitting: true,
  format: "esm",
  // Workspace packages are read from their sources.
  conditions: ["@switchboard/source"],
  logLevel: "warning"
}

/**
 * Removes `HttpApiScalar` from the index of its package: ApiPage.ts imports it by its path. esbuild puts every file that
 * an index reaches into the chunk of the index, and the script of the page has 3 MB, which each start would parse.
 */
const pageApart = {
  name: "page-apart",
  setup: (plugins) =>
    plugins.onLoad({ filter: /@effect[/\\]platform[/\\]dist[/\\]esm[/\\]index\.js$/ }, ({ path }) => ({
      contents: readFileSync(path, "utf8").replace(/^export \* as HttpApiScalar from .*$/m, "")
    }))
}

const bundleServer = async () => {
  const outdir = fileOf("server/dist/program")
  rmSync(outdir, { recursive: true, force: true })
  const { metafile } = await build({
    ...options,
    metafile: true,
    entryPoints: {
      main: fileOf("server/src/main.ts"),
      // The worker thread loads this file from the folder of main.js.
      MimeWorker: fileOf("channels/src/email/receiving/reading/MimeWorker.ts")
    },
    outdir,
    platform: "node",
    target: "node20",
    // Bundled CommonJS modules call `require`, which ES modules lack.
    banner: { js: `import { createRequire } from "node:module"; const require = createRequire(import.meta.url);` },
    plugins: [pageApart]
  })
  writeFileSync(`${outdir}/licenses.md`, licensesOf(Object.keys(metafile.inputs)))
}

/**
 * Keeps the types of `export * as Webhooks` in a file of their own: in a namespace, rollup-plugin-dts declares the types of
 * another entry as values.
 */
const webhooksApart = {
  name: "webhooks-apart",
  resolveId: (path, importer = "") =>
    path === "./Webhooks.js" && /promise[/\\]Switchboard\.d\.ts$/.test(importer)
      ? { id: "./promise-webhooks.js", external: true }
      : null
}

/** The code and the types of every export of the client; its peers stay imports. */
const bundleClient = async () => {
  const { exports, peerDependencies } = JSON.parse(readFileSync(fileOf("client/package.json"), "utf8"))
  const outdir = fileOf("client/dist/package")
  const entries = Object.values(exports)
    .filter((entry) => "default" in entry)
    .map((entry) => [
      entry.default.slice("./dist/package/".length, -".js".length),
      entry["@switchboard/source"].slice("./src/".length, -".ts".length)
    ])
  const entriesIn = (folder, extension) =>
    Object.fromEntries(entries.map(([name, path]) => [name, fileOf(`client/${folder}/${path}.${extension}`)]))
  rmSync(outdir, { recursive: true, force: true })
  await build({
    ...options,
    entryPoints: entriesIn("src", "ts"),
    outdir,
    platform: "neutral",
    mainFields: ["module"],
    target: "es2022",
    external: Object.keys(peerDependencies),
    banner: { js: "// Contains Sse of @effect/experimental. MIT License, Copyright (c) 2023-present The Contributors" }
  })
  const types = await rollup({
    input: { ...entriesIn("dist", "d.ts"), "promise-webhooks": fileOf("client/dist/promise/Webhooks.d.ts") },
    plugins: [
      webhooksApart,
      dts({
        tsconfig: fileOf("client/tsconfig.json"),
        // Workspace packages are read from the declarations that `tsc` wrote.
        compilerOptions: { customConditions: [] },
        includeExternal: ["@switchboard/api", "@switchboard/domain"]
      })
    ]
  })
  await types.write({ dir: outdir, chunkFileNames: "types-[hash].d.ts" })
}

const bundleConsole = () => buildPage({ configFile: fileOf("console/vite.config.js"), logLevel: "warn" })

await Promise.all([bundleServer(), bundleClient(), bundleConsole()])
