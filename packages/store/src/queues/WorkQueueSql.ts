import { SqlClient } from "@effect/sql"
import type { SqlError } from "@effect/sql/SqlError"
import type { ServiceUnavailableError } from "@switchboard/domain/Errors"
import type { EntryKey, LeaseRequest, WorkQueue } from "@switchboard/services/queues/WorkQueue"
import { Array, Effect, Ref, Stream } from "effect"
import { inBatches } from "../database/InBatches.js"
import { orUnavailable, retryConflicts } from "../database/Unavailable.js"
import { entriesOf, leasesOf, maxMoved, type SettledEntry } from "./ChangeEntries.js"
import { findReady } from "./FindReady.js"
import { FullScans } from "./FullScans.js"
import { type LeaseRow, leaseRoundRobin } from "./LeaseRoundRobin.js"
import { LowWaterMarks, minId } from "./LowWaterMarks.js"
import { makeNextDue } from "./NextDue.js"
import { Notifications } from "./Notifications.js"
import { type QueueTable, returned } from "./QueueTables.js"
import { ResumedScan } from "./ResumedScan.js"

/** The work of leased entries. */
export interface TakenWork<Lease, Item> {
  readonly items: ReadonlyArray<Item>
  /** Entries without work, which are deleted. */
  readonly gone: ReadonlyArray<Lease>
  /** Entries that exceed a limit of the request; their leases are reverted. */
  readonly excess?: ReadonlyArray<Lease>
}

/** Locks entries, and returns the ids that the worker still holds. */
export type Hold = (entries: ReadonlyArray<EntryKey>) => Effect.Effect<ReadonlySet<string>, SqlError>

/** The table-specific parts of a queue. Every function runs in a transaction. */
export interface QueueUse<Lease extends LeaseRow, Item, Done, Request extends LeaseRequest> {
  /** Leases entries for a special kind of request; undefined for a request that is served round robin. */
  readonly lease?: (request: Request) => Effect.Effect<ReadonlyArray<Lease>, SqlError> | undefined
  readonly read: (leases: ReadonlyArray<Lease>, request: Request) => Effect.Effect<TakenWork<Lease, Item>, SqlError>
  /** Stores the outcomes of entries that are still held. Returns the next step of each. */
  readonly settle: (
    done: ReadonlyArray<Done>,
    hold: Hold
  ) => Effect.Effect<ReadonlyArray<SettledEntry>, SqlError | ServiceUnavailableError>
  /** Runs for entries that became ready because they were due. Absent: their promotion is one statement. */
  readonly promoted?: (entries: ReadonlyArray<Lease>) => Effect.Effect<void, SqlError>
}

const keyOf = ({ id, organization_id }: LeaseRow): EntryKey => ({ organizationId: organization_id, id })

/** A queue in the tables `<name>_queue` and `<name>_waiting`. */
export const workQueueSql = Effect.fnUntraced(function* <
  Lease extends LeaseRow,
  Item,
  Done,
  Request extends LeaseRequest = LeaseRequest
>(table: QueueTable, use: QueueUse<Lease, Item, Done, Request>) {
  const sql = yield* SqlClient.SqlClient
  const notifications = yield* Notifications
  const marks = new LowWaterMarks()
  const fullScans = new FullScans()
  const dueScan = new ResumedScan()
  const nextDue = yield* makeNextDue
  const entries = entriesOf<Lease>(table, sql, marks)
  const leases = leasesOf(table, sql, marks)
  const roundRobin = leaseRoundRobin<Lease>(table, marks)
  // The owner at which the last lease ended; the next one starts after it.
  const cursor = yield* Ref.make(minId)

  const transaction = <A, E>(effect: Effect.Effect<A, E>) =>
    effect.pipe(sql.withTransaction, retryConflicts, orUnavailable)

  /** The marks of leases that are rolled back are invalid. */
  const resetMarks = Effect.sync(() => {
    marks.clear()
    fullScans.reset()
  })

  /** Finds the marks at the start of the process, and later entries below them. */
  const findMarks = Effect.flatMap(fullScans.isDue, (isDue) =>
    isDue ? orUnavailable(fullScans.run(findReady(table, sql, marks))) : Effect.void
  )

  const take = Effect.fnUntraced(function* (request: Request, special: ReturnType<NonNullable<typeof use.lease>>) {
    const leased = yield* special ?? roundRobin(sql, request, yield* Ref.get(cursor))
    if (!Array.isNonEmptyReadonlyArray(leased)) return { items: [], last: undefined }
    const { excess = [], gone, items } = yield* use.read(leased, request)
    yield* entries.undoLease(excess.map(keyOf))
    yield* entries.drop(gone.map(keyOf))
    const last = leased.findLast((one) => !excess.includes(one)) ?? Array.lastNonEmpty(leased)
    return { items, last: special === undefined ? last.owner : undefined }
  })

  const settle = (worker: string, done: ReadonlyArray<Done>) =>
    Effect.tap(
      use.settle(done, (keys) => entries.hold(worker, keys)),
      entries.finish
    )

  const { promoted } = use

  /** One statement, without the round trips of a transaction, unless the use has a part in it. */
  const promote = (from: number) =>
    promoted === undefined
      ? entries.promote(from).pipe(retryConflicts, orUnavailable)
      : transaction(
          Effect.tap(entries.promote(from), (found) =>
            found.entries.length > 0 ? promoted(found.entries) : Effect.void
          )
        )

  const queue: WorkQueue<Item, Done, Request> = {
    ...leases,
    take: Effect.fnUntraced(function* (request) {
      const special = use.lease?.(request)
      if (special === undefined) yield* findMarks
      const { items, last } = yield* take(request, special).pipe(
        sql.withTransaction,
        Effect.onError(() => resetMarks),
        retryConflicts,
        orUnavailable
      )
      if (last !== undefined) yield* Ref.set(cursor, last)
      return items
    }),
    settle: (worker, done) =>
      done.length === 0 ? Effect.void : Effect.flatMap(transaction(settle(worker, done)), nextDue.expect),
    promote: Effect.zipRight(
      nextDue.promoting,
      inBatches(
        dueScan.run(promote).pipe(
          Effect.tap(({ dueIn }) => (dueIn === null ? Effect.void : nextDue.expectIn(dueIn))),
          Effect.map((found) => found.entries.length)
        ),
        maxMoved
      )
    ),
    awaitDue: nextDue.wait,
    recover: inBatches(leases.recover, maxMoved),
    woken: Stream.map(notifications.on(table.channel), (payload) => {
      if (payload === returned) fullScans.hasten()
      return payload === "" || payload === returned ? null : payload
    })
  }
  return queue
})
