import { defineWorkspace, type TestProjectConfiguration } from "vitest/config"
import { measureMachine } from "./packages/domain/test/MeasureMachine.js"

/** How many times slower this machine is now than an idle one of 2024; scales every deadline of the run. */
const machineFactor = measureMachine()

const programTests = "packages/*/test/**/*.program.test.ts"

/** Workspace packages are read from their sources, so that a test never meets a stale build. */
const project = (
  name: string,
  seconds: number,
  test: { readonly include: Array<string>; readonly exclude?: Array<string> }
) =>
  ({
    resolve: { conditions: ["@switchboard/source"] },
    ssr: { resolve: { conditions: ["@switchboard/source", "node", "default"] } },
    test: {
      name,
      ...test,
      setupFiles: [
        "packages/domain/test/Assertions.ts",
        "packages/services/test/DatabaseTimeFactor.ts",
        "packages/services/test/PreparedDkimKeys.ts"
      ],
      globalSetup: ["packages/store/test/globalSetup.ts", "packages/channels/test/email/receiving/BundleMimeWorker.ts"],
      provide: { machineFactor },
      pool: "forks",
      // For what hangs.
      testTimeout: seconds * 1_000 * machineFactor,
      hookTimeout: seconds * 1_000 * machineFactor
    }
  }) satisfies TestProjectConfiguration

/** `test`: with the service in the process, without a build. `programs`: the built program and other programs. */
export default defineWorkspace([
  project("test", 120, { include: ["packages/*/test/**/*.test.ts"], exclude: [programTests, "**/node_modules/**"] }),
  project("programs", 600, { include: [programTests] })
])
