import type { ApiKeyId } from "@switchboard/domain/apiKeys/ApiKey"
import { ApiKeyStats } from "@switchboard/domain/apiKeys/ApiKeyActivity"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import type { PageRequest } from "@switchboard/domain/Page"
import { Array, Chunk, Effect, Metric, MutableQueue, Schedule } from "effect"
import { newUuid } from "../NewUuid.js"
import { KeyActivityRepo, type KeyUse } from "./KeyActivityRepo.js"
import { ManagedKeys } from "./ManagedKeys.js"

/** Requests that wait to be written at most: some megabytes, and seconds of a busy process. */
const room = 20_000

/** Rows of one statement. */
const batchSize = 2_000

const flushEvery = "1 second"

const droppedTotal = Metric.counter("switchboard_key_activity_dropped_total", {
  description: "Requests that are missing from the activity of keys, since more came than could be written",
  incremental: true
})

/** What keys are used for. Requests only leave a note; the notes are written in batches, away from them. */
export class KeyActivity extends Effect.Service<KeyActivity>()("services/KeyActivity", {
  scoped: Effect.gen(function* () {
    const repo = yield* KeyActivityRepo
    const keys = yield* ManagedKeys
    const waiting = MutableQueue.bounded<KeyUse>(room)
    let unwritten: ReadonlyArray<KeyUse> = []
    let dropped = 0

    /** Notes a request. Under overload the oldest notes go. */
    const record = (use: Omit<KeyUse, "id">): void => {
      const noted = { ...use, id: newUuid({ msecs: use.at }) }
      if (MutableQueue.offer(waiting, noted)) return
      MutableQueue.poll(waiting, MutableQueue.EmptyMutableQueue)
      MutableQueue.offer(waiting, noted)
      dropped += 1
    }

    // What could not be written is kept for the next time, so that a short outage loses nothing. What can't be written
    // at all is given up, so that nothing waits behind it.
    const write = (uses: ReadonlyArray<KeyUse>) =>
      Effect.catchAllDefect(repo.insert(uses), (defect) => {
        dropped += uses.length
        return Effect.logError("The activity of keys can't be written", defect)
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
      Effect.catchAll((error) => Effect.logDebug("The activity of keys was not written", error)),
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
