// Bundles the server with its libraries, so that a process starts in a third of the time, the client with the declaration
// of the API, so that it installs as one package, and the console. A bundle whose inputs have not changed is left as it is.
import { createHash } from "node:crypto"
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"

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
  const [{ build }, { licensesOf }] = await Promise.all([import("esbuild"), import("./licenses.js")])
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
    // Bundled CommonJS modules call `require`, which ES modules lack. Bundled ES modules import `createRequire`, too.
    banner: {
      js: `import { createRequire as requireOf } from "node:module"; const require = requireOf(import.meta.url);`
    },
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
  const [{ build }, { rollup }, { dts }] = await Promise.all([
    import("esbuild"),
    import("rollup"),
    import("rollup-plugin-dts")
  ])
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

const bundleConsole = async () => {
  const { build } = await import("vite")
  await build({ configFile: fileOf("console/vite.config.js"), logLevel: "warn" })
}

/** All files of a folder, or the file. */
const filesOf = (path) =>
  path.endsWith("/")
    ? readdirSync(path, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name))
        .sort()
    : [path]

const hashOf = (paths) => {
  const hash = createHash("sha256")
  for (const path of paths.map(fileOf).flatMap(filesOf)) hash.update(path).update(readFileSync(path))
  return hash.digest("hex")
}

/** Libraries and the scripts that bundle them. */
const everyInput = [
  "../package-lock.json",
  "../tsconfig.json",
  "../scripts/bundle.js",
  "../scripts/licenses.js",
  "client/package.json"
]

/** Bundles into a folder of `dist`, unless it exists and its inputs have the hash that the file `.inputs` beside it has. */
const unlessCurrent = async (outdir, inputs, bundle) => {
  const hash = hashOf([...everyInput, ...inputs])
  const file = fileOf(`${outdir}/../.inputs`)
  if (existsSync(fileOf(outdir)) && existsSync(file) && readFileSync(file, "utf8") === hash) return
  rmSync(file, { force: true })
  await bundle()
  writeFileSync(file, hash)
}

const sourcesOf = (...names) => names.map((name) => `${name}/src/`)

await Promise.all([
  unlessCurrent(
    "server/dist/program",
    sourcesOf("domain", "services", "api", "store", "channels", "worker", "client", "server"),
    bundleServer
  ),
  unlessCurrent("client/dist/package", sourcesOf("domain", "api", "client"), bundleClient),
  unlessCurrent(
    "console/dist/page",
    [
      "console/index.html",
      "console/vite.config.js",
      "console/public/",
      ...sourcesOf("domain", "api", "client", "console")
    ],
    bundleConsole
  )
])
