import { SqlClient } from "@effect/sql"
import type { SqlError } from "@effect/sql/SqlError"
import type { ServiceUnavailableError } from "@switchboard/domain/Errors"
import type { EntryKey, LeaseRequest, WorkQueue } from "@switchboard/services/queues/WorkQueue"
import { Array, Clock, DateTime, Duration, Effect, Option, Queue, Ref, Stream } from "effect"
import { inBatches } from "../database/Batches.js"
import { orUnavailable, retryConflicts } from "../database/Unavailable.js"
import { entriesOf, leasesOf, maxMoved, type SettledEntry } from "./ChangeEntries.js"
import { type LeaseRow, leaseRoundRobin } from "./LeaseEntries.js"
import { type FoundEntry, FullScans, LowWaterMarks, minId, ResumedScan } from "./LowWaterMarks.js"
import { laneOf, Notifications, type QueueTable, returned, toMicros, visibleBefore } from "./QueueTables.js"

/** The time between promotions while entries become due one after the other. In a call, the delay is audible. */
const minInterval = Duration.millis(100)

/** Finds entries that another process made wait and, having ended, does not promote. */
const maxInterval = Duration.seconds(1)

/** When the next waiting entry of a queue is due, as far as this process knows; by its monotonic clock. */
export const makeNextDue = Effect.map(Queue.sliding<void>(1), (changed) => {
  let earliest = 0n
  let next = 0n

  const expectIn = (delay: Duration.Duration) =>
    Effect.flatMap(Clock.currentTimeNanos, (now) => {
      const at = now + Duration.unsafeToNanos(delay)
      if (at >= next) return Effect.void
      next = at
      return Queue.offer(changed, undefined)
    })

  return {
    /** A promotion begins: entries that wait from now on may be missing from its result. */
    promoting: Effect.map(Clock.currentTimeNanos, (now) => {
      earliest = now + Duration.unsafeToNanos(minInterval)
      next = now + Duration.unsafeToNanos(maxInterval)
    }),
    expectIn,
    /** Entries that were settled with a retry. */
    expect: Effect.fnUntraced(function* (settled: ReadonlyArray<Pick<SettledEntry, "retryAt">>) {
      const now = yield* DateTime.now
      const delays = settled.flatMap(({ retryAt }) => (retryAt === null ? [] : [DateTime.distance(now, retryAt)]))
      if (delays.length > 0) yield* expectIn(Duration.millis(Math.max(0, Math.min(...delays))))
    }),
    /** Waits until an entry may be due. */
    wait: Effect.gen(function* () {
      const until = next > earliest ? next : earliest
      const left = until - (yield* Clock.currentTimeNanos)
      if (left <= 0n) return true
      // A timer may end a millisecond early.
      const limit = Duration.nanos(left + 1_000_000n)
      return Option.isNone(yield* Effect.timeoutOption(Queue.take(changed), limit))
    }).pipe(Effect.repeat({ until: (isDue) => isDue }), Effect.asVoid)
  }
})

/**
 * The oldest ready entry of every owner and lane. Reads the pages of the table instead of an index (a sample of all
 * pages), which costs a fraction of reading the index and the row of every entry that is gone.
 */
const statement = (table: QueueTable) => /* sql */ `
SELECT ready.*, ${toMicros(visibleBefore)} AS settled FROM (SELECT) AS one LEFT JOIN (
  SELECT q.${table.owner} AS owner, ${laneOf(table)} AS lane, ${toMicros("min(q.ready_at)")} AS "readyAt"
  FROM ${table.name}_queue AS q TABLESAMPLE SYSTEM (100) WHERE q.lease_until IS NULL GROUP BY 1, 2
) AS ready ON true`

type Row = (FoundEntry | { readonly owner: null }) & { readonly settled: number }

/** Records the oldest ready entries in the marks. */
const findReady = (table: QueueTable, sql: SqlClient.SqlClient, marks: LowWaterMarks) =>
  Effect.map(sql.unsafe<Row>(statement(table)), (rows) => {
    const [first] = rows
    const ready = rows.filter((row): row is Row & FoundEntry => row.owner !== null)
    if (first !== undefined) marks.found(ready, first.settled)
  })

/** The work of leased entries. */
interface TakenWork<Lease, Item> {
  readonly items: ReadonlyArray<Item>
  /** Entries without work, which are deleted. */
  readonly gone: ReadonlyArray<Lease>
  /** Entries that exceed a limit of the request; their leases are reverted. */
  readonly excess?: ReadonlyArray<Lease>
}

/** Locks entries, and returns the ids that the worker still holds. */
export type Hold = (entries: ReadonlyArray<EntryKey>) => Effect.Effect<ReadonlySet<string>, SqlError>

/** The table-specific parts of a queue. Every function runs in a transaction. */
interface QueueUse<Lease extends LeaseRow, Item, Done, Request extends LeaseRequest> {
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
