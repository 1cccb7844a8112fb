import { fileURLToPath } from "node:url"
import { defineWorkspace } from "vitest/config"

const packages = ["domain", "services", "api", "store", "channels", "worker", "client", "console", "server"]

/** Those whose tests need a PostgreSQL. */
const withDatabase = ["services", "api", "store", "server", "client"]

/** One project a package. Workspace packages are read from their sources, so that a test never meets a stale build. */
export default defineWorkspace(
  packages.map((name) => ({
    resolve: { conditions: ["@switchboard/source"] },
    ssr: { resolve: { conditions: ["@switchboard/source", "node", "import", "default"] } },
    test: {
      name,
      root: fileURLToPath(new URL(`./packages/${name}`, import.meta.url)),
      include: ["test/**/*.test.ts"],
      // chai compares what Effect makes too kindly: an assertion about an Option or a secret would always hold.
      setupFiles: ["../domain/test/Assertions.ts"],
      globalSetup: withDatabase.includes(name) ? ["../store/test/globalSetup.ts"] : [],
      pool: "forks" as const,
      // For what hangs alone: a slow machine takes several times as long as a fast one.
      testTimeout: 300_000,
      hookTimeout: 300_000
    }
  }))
)
