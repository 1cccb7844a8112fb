import { SqlClient } from "@effect/sql"
import type { SqlError } from "@effect/sql/SqlError"
import type { ServiceUnavailableError } from "@switchboard/domain/Errors"
import type { EntryKey, LeaseRequest, WorkQueue } from "@switchboard/services/queues/WorkQueue"
import { Array, Effect, Ref } from "effect"
import { inBatches } from "../database/InBatches.js"
import { orUnavailable, retryConflicts } from "../database/Unavailable.js"
import { entriesOf, leasesOf, maxMoved, type SettledEntry } from "./ChangeEntries.js"
import { firstOwner, type LeaseRow, leaseInTurns } from "./LeaseInTurns.js"
import { Notifications } from "./Notifications.js"
import type { QueueTable } from "./QueueTables.js"

/** What leased entries stand for. */
export interface TakenWork<Lease, Item> {
  readonly items: ReadonlyArray<Item>
  /** Entries without work: they are deleted. */
  readonly gone: ReadonlyArray<Lease>
  /** Entries for which there is no room: they are given back. */
  readonly excess?: ReadonlyArray<Lease>
}

/** Locks entries; the ids of those that the worker still holds. */
export type Hold = (entries: ReadonlyArray<EntryKey>) => Effect.Effect<ReadonlySet<string>, SqlError>

/** The work of a queue. Every function runs in a transaction. */
export interface QueueUse<Lease extends LeaseRow, Item, Done, Request extends LeaseRequest> {
  /** Leases what a request of another kind asks for; undefined for a request that is served in turns. */
  readonly lease?: (request: Request) => Effect.Effect<ReadonlyArray<Lease>, SqlError> | undefined
  readonly read: (leases: ReadonlyArray<Lease>, request: Request) => Effect.Effect<TakenWork<Lease, Item>, SqlError>
  /** Stores outcomes of entries that are still held, and says how these go on. */
  readonly settle: (
    done: ReadonlyArray<Done>,
    hold: Hold
  ) => Effect.Effect<ReadonlyArray<SettledEntry>, SqlError | ServiceUnavailableError>
  /** Follows entries that became ready because their time has come. */
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
  const entries = entriesOf<Lease>(table, sql)
  const leases = leasesOf(table, sql)
  const inTurns = leaseInTurns<Lease>(table)
  // Where the last take ended: the next one begins with another owner.
  const cursor = yield* Ref.make(firstOwner)

  const transaction = <A, E>(effect: Effect.Effect<A, E>) =>
    effect.pipe(sql.withTransaction, retryConflicts, orUnavailable)

  const take = Effect.fnUntraced(function* (request: Request) {
    const special = use.lease?.(request)
    const leased = yield* special ?? inTurns(sql, request, yield* Ref.get(cursor))
    if (!Array.isNonEmptyReadonlyArray(leased)) return { items: [], last: undefined }
    const { excess = [], gone, items } = yield* use.read(leased, request)
    yield* entries.giveBack(excess.map(keyOf))
    yield* entries.drop(gone.map(keyOf))
    const last = leased.findLast((one) => !excess.includes(one)) ?? Array.lastNonEmpty(leased)
    return { items, last: special === undefined ? last.owner : undefined }
  })

  const settle = (worker: string, done: ReadonlyArray<Done>) =>
    Effect.flatMap(
      use.settle(done, (keys) => entries.hold(worker, keys)),
      entries.finish
    )

  const promote = Effect.gen(function* () {
    const promoted = yield* entries.promote
    if (promoted.length > 0) yield* use.promoted?.(promoted) ?? Effect.void
    return promoted.length
  })

  const queue: WorkQueue<Item, Done, Request> = {
    ...leases,
    take: (request) =>
      transaction(take(request)).pipe(
        Effect.tap(({ last }) => (last === undefined ? Effect.void : Ref.set(cursor, last))),
        Effect.map(({ items }) => items)
      ),
    settle: (worker, done) => (done.length === 0 ? Effect.void : transaction(settle(worker, done))),
    promote: inBatches(transaction(promote), maxMoved),
    recover: inBatches(leases.recover, maxMoved),
    woken: notifications.on(table.channel)
  }
  return queue
})
