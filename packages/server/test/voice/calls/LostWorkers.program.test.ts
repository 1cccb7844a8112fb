import { assert, describe, it } from "@effect/vitest"
import { TestDatabaseUrl } from "@switchboard/store/testing/TestDatabase"
import { Effect, Redacted } from "effect"
import { caller, temporaryFolder } from "../../LiveService.js"
import { base, launch } from "../../ServiceProcess.js"
import { agentWith, chain, delay, once, placed, speak } from "./Calling.js"

describe("A voice call whose worker is killed", () => {
  it.scopedLive("continues on another worker, and can be hung up by any process", () =>
    Effect.gen(function* () {
      const environment = { ...base(yield* temporaryFolder), DATABASE_URL: Redacted.value(yield* TestDatabaseUrl) }
      const [{ baseUrl }, first] = yield* Effect.all([launch("api", environment), launch("worker", environment)], {
        concurrency: 2
      })
      const call = caller(baseUrl)
      const agent = yield* agentWith(call, chain(speak("Please hold the line"), delay(60), speak("Thank you")))
      const held = yield* placed(call, agent, { sandbox: { speed: 20 } })
      const cut = yield* placed(call, agent, { sandbox: { speed: 10 } })
      yield* once(call, held.id, "in_progress")
      yield* once(call, cut.id, "in_progress")
      first.child.kill("SIGKILL")
      assert.strictEqual((yield* call("POST", `/v1/voice/calls/${cut.id}/hangup`)).status, 200)
      yield* launch("worker", environment)
      const { durationSeconds } = yield* once(call, held.id, "completed")
      // The same duration as without the kill: four words, a minute, and two words.
      assert.strictEqual(durationSeconds, 63)
      const hungUp = yield* once(call, cut.id, "completed")
      assert.strictEqual(hungUp.metadata.customFields.endedBy, "hangup")
      assert.isBelow(hungUp.durationSeconds, 30)
    }).pipe(Effect.provide(TestDatabaseUrl.Live))
  )
})
