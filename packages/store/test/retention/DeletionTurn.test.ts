import { assert, layer } from "@effect/vitest"
import type { ServiceUnavailableError } from "@switchboard/domain/Errors"
import { KeyActivityRepo } from "@switchboard/services/apiKeys/KeyActivityRepo"
import { IdempotencyRepo } from "@switchboard/services/messages/IdempotencyRepo"
import { RetentionRepo } from "@switchboard/services/retention/RetentionRepo"
import { WebhookQueue } from "@switchboard/services/webhooks/delivery/WebhookQueue"
import { DeletionTurn } from "@switchboard/store/database/DeletionTurn"
import { Duration, Effect, Option } from "effect"
import { makeOrganization } from "../messages/Fixtures.js"
import { writeEvent } from "../partitions/Fixtures.js"
import { OwnStoreLive } from "../StoreLive.js"
import { options } from "../webhooks/Fixtures.js"

const age = Duration.days(30)

/** Effects that delete expired data. Each has at least one batch. */
const deletions = Effect.gen(function* () {
  const retention = yield* RetentionRepo
  const organization = yield* makeOrganization()
  yield* writeEvent(organization, 0)
  yield* writeEvent(organization, 1)
  const all: Readonly<Record<string, Effect.Effect<unknown, ServiceUnavailableError>>> = {
    bodies: retention.eraseBodies(age),
    events: retention.eraseEvents(age),
    logs: retention.eraseMailLogs(age),
    mails: retention.eraseInboundRaw(age),
    webhooks: (yield* WebhookQueue).deleteExpired(age),
    requests: (yield* KeyActivityRepo).deleteExpired(age),
    sends: (yield* IdempotencyRepo).deleteExpired({ keys: age, contents: age })
  }
  return all
})

layer(OwnStoreLive, options)("The turn of deletions", (it) => {
  it.effect("is waited for by the batches of all of them", () =>
    Effect.gen(function* () {
      for (const [name, deletion] of Object.entries(yield* deletions)) {
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
