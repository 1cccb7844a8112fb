import { type ApiKeyId, ApiKeyStats } from "@switchboard/domain/apiKeys/ApiKey"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import type { PageRequest } from "@switchboard/domain/Page"
import { Array, Chunk, Effect, Metric, MutableQueue, Schedule } from "effect"
import { newUuid } from "../NewId.js"
import { KeyActivityRepo, type KeyUse } from "./KeyActivityRepo.js"
import { ManagedKeys } from "./ManagedKeys.js"

/** The maximum number of requests that wait to be written: some megabytes, or seconds of a busy process. */
const maxWaitingRecords = 20_000

/** The maximum number of rows of one statement. */
const batchSize = 2_000

const flushEvery = "1 second"

const droppedTotal = Metric.counter("switchboard_key_activity_dropped_total", {
  description: "Requests missing from key activity because the buffer was full or they could not be written",
  incremental: true
})

/** Records the requests that keys make. Requests append to a buffer in memory; a fiber writes it in batches. */
export class KeyActivity extends Effect.Service<KeyActivity>()("services/KeyActivity", {
  scoped: Effect.gen(function* () {
    const repo = yield* KeyActivityRepo
    const keys = yield* ManagedKeys
    const waiting = MutableQueue.bounded<KeyUse>(maxWaitingRecords)
    let unwritten: ReadonlyArray<KeyUse> = []
    let dropped = 0

    /** Records a request. A full buffer drops its oldest record. */
    const record = (use: Omit<KeyUse, "id">): void => {
      const noted = { id: newUuid(use.at), ...use }
      if (MutableQueue.offer(waiting, noted)) return
      MutableQueue.poll(waiting, MutableQueue.EmptyMutableQueue)
      MutableQueue.offer(waiting, noted)
      dropped += 1
    }

    // A batch that fails with an outage is retried in the next round. A batch that the database rejects is dropped, so
    // that it does not block later ones.
    const write = (uses: ReadonlyArray<KeyUse>) =>
      Effect.catchAllDefect(repo.insert(uses), (defect) => {
        dropped += uses.length
        return Effect.logError("Key activity can't be written", defect)
      })
    const writeBatch = Effect.gen(function* () {
      if (unwritten.length === 0) unwritten = Chunk.toReadonlyArray(MutableQueue.pollUpTo(waiting, batchSize))
      if (Array.isNonEmptyReadonlyArray(unwritten)) yield* write(unwritten)
      unwritten = []
      return MutableQueue.isEmpty(waiting)
    })

    const countDropped = Effect.suspend(() => {
      const lately = dropped
      dropped = 0
      return Metric.incrementBy(droppedTotal, lately)
    })

    const flush = Effect.repeat(writeBatch, { until: (isEmpty) => isEmpty }).pipe(
      Effect.catchAll((error) => Effect.logDebug("Key activity was not written", error)),
      Effect.zipRight(countDropped)
    )
    yield* Effect.addFinalizer(() => flush)
    yield* Effect.forkScoped(Effect.repeat(flush, Schedule.spaced(flushEvery)))

    const list = Effect.fn("KeyActivity.list")(function* (
      organization: OrganizationId,
      id: ApiKeyId,
      page: PageRequest
    ) {
      yield* keys.get(organization, id)
      return yield* repo.list(organization, id, page)
    })

    const stats = Effect.fn("KeyActivity.stats")(function* (organization: OrganizationId, id: ApiKeyId) {
      const { lastUsedAt } = yield* keys.get(organization, id)
      return new ApiKeyStats({ ...(yield* repo.stats(organization, id)), lastUsedAt })
    })

    return { record, list, stats } as const
  })
}) {}
