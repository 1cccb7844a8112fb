import { fileURLToPath } from "node:url"
import { defineConfig } from "vite"

/** The nodes of a syntax tree (ESTree). */
const nodesOf = (value) =>
  typeof value !== "object" || value === null
    ? []
    : [...("type" in value ? [value] : []), ...Object.values(value).flatMap(nodesOf)]

/** Whether a node is the call `….annotate(OpenApi.Description, "…")` in a chain of calls, or that of another annotation. */
const isAnnotation = ({ arguments: [key] = [], callee, type }) =>
  type === "CallExpression" &&
  callee.object?.type === "CallExpression" &&
  callee.property.name === "annotate" &&
  key?.object?.name === "OpenApi"

/** Leaves the summaries and descriptions of the OpenAPI document, which the console does not show, out of the build. */
const withoutDocument = {
  name: "without-document",
  apply: "build",
  // After the types are removed: the parser reads JavaScript.
  enforce: "post",
  transform: {
    filter: { id: /\/packages\/api\/src\/.*\.ts$/, code: "OpenApi." },
    handler(code) {
      const calls = nodesOf(this.parse(code)).filter(isAnnotation)
      // From the end: the places of earlier calls stay.
      const ends = calls.map(({ callee, end }) => [callee.object.end, end]).sort(([left], [right]) => right - left)
      return { code: ends.reduce((text, [start, end]) => text.slice(0, start) + text.slice(end), code), map: null }
    }
  }
}

/** The service that `npx vite packages/console` shows the console of. */
const service = process.env.SWITCHBOARD_URL ?? "http://127.0.0.1:3000"

export default defineConfig(({ command }) => ({
  root: fileURLToPath(new URL(".", import.meta.url)),
  // Relative in the build: the service adds the path that it is reached under.
  base: command === "build" ? "./" : "/console/",
  plugins: [withoutDocument],
  // Workspace packages are read from their sources.
  resolve: { conditions: ["@switchboard/source", "module", "browser", "development|production"] },
  build: {
    outDir: "dist/page",
    emptyOutDir: true,
    target: "es2022",
    // The policy of the page admits no data: URLs for scripts and styles.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    manifest: "manifest.json",
    license: { fileName: "licenses.md" },
    reportCompressedSize: false,
    chunkSizeWarningLimit: 1_000
  },
  server: { proxy: { "/v1": { target: service, changeOrigin: true } } }
}))
