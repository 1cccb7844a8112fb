import { assert, describe, it } from "@effect/vitest"
import { TestDatabaseUrl } from "@switchboard/store/testing/TestDatabase"
import { Effect, Redacted } from "effect"
import { notInstalled, runtimes } from "./client/runtimes/Runtimes.js"
import { caller, send, temporaryFolder, until } from "./LiveService.js"
import { base, ended, launch, program } from "./ServiceProcess.js"

describe("The service", () => {
  for (const runtime of runtimes.filter(({ name }) => name.startsWith("Node.js "))) {
    const reason = notInstalled(runtime)
    it.scopedLive.skipIf(reason !== "")(`delivers and stops in ${runtime.name}${reason}`, () =>
      Effect.gen(function* () {
        const environment = {
          ...base(yield* temporaryFolder),
          DATABASE_URL: Redacted.value(yield* TestDatabaseUrl)
        }
        const { baseUrl, child } = yield* launch("serve", environment, [], program, runtime.program)
        const call = caller(baseUrl)
        const { body } = yield* call("POST", "/v1/messages", send())
        yield* until(call("GET", `/v1/messages/${body.id}`), (response) => response.body.status === "delivered")
        child.kill("SIGTERM")
        assert.strictEqual(yield* ended(child), 0)
      }).pipe(Effect.provide(TestDatabaseUrl.Live))
    )
  }
})
