import { assert, layer } from "@effect/vitest"
import { IdempotencyRepo } from "@switchboard/services/messages/IdempotencyRepo"
import { RetentionRepo } from "@switchboard/services/retention/RetentionRepo"
import { DeletionTurn } from "@switchboard/store/database/Batches"
import { Duration, Effect, Option } from "effect"
import { makeOrganization } from "../messages/Fixtures.js"
import { OwnStoreLive } from "../StoreLive.js"
import { options } from "../webhooks/Fixtures.js"
import { thirtyDays, writeEvent } from "./Fixtures.js"

layer(OwnStoreLive, options)("The turn of deletions", (it) => {
  it.effect("is waited for by their batches", () =>
    Effect.gen(function* () {
      const organization = yield* makeOrganization()
      yield* Effect.forEach([-90, -91, -92], (days) => writeEvent(organization, days))
      const { eraseEvents } = yield* RetentionRepo
      const { deleteExpired } = yield* IdempotencyRepo
      const deletions = {
        events: eraseEvents(thirtyDays),
        sends: Effect.map(deleteExpired({ keys: thirtyDays, contents: Duration.days(1) }), ({ keys }) => keys)
      }
      for (const [name, deletion] of Object.entries(deletions)) {
        const turn = yield* Effect.makeSemaphore(1)
        const waits = { ...turn, withPermits: () => () => Effect.interrupt }
        const ended = yield* deletion.pipe(Effect.provideService(DeletionTurn, waits), Effect.exit)
        assert.strictEqual(ended._tag, "Failure", `${name} does not wait`)
        yield* Effect.provideService(deletion, DeletionTurn, turn)
        assert.isTrue(Option.isSome(yield* turn.withPermitsIfAvailable(1)(Effect.void)), `${name} keeps the turn`)
      }
    })
  )
})
