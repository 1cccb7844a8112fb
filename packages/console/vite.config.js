import { fileURLToPath } from "node:url"
import { defineConfig } from "vite"

/** The service that `npx vite packages/console` shows the console of. */
const service = process.env.SWITCHBOARD_URL ?? "http://127.0.0.1:3000"

export default defineConfig(({ command }) => ({
  root: fileURLToPath(new URL(".", import.meta.url)),
  // Relative in the build: the service adds the path that it is reached under.
  base: command === "build" ? "./" : "/console/",
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
