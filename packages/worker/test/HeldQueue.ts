import type { EntryKey, LeasedQueue } from "@switchboard/services/queues/LeasedQueue"
import { Effect, Stream } from "effect"

export const idsOf = (entries: ReadonlyArray<EntryKey>) => entries.map(({ id }) => id)

const all = (_: string, entries: ReadonlyArray<EntryKey>) => Effect.succeed(new Set(idsOf(entries)))

/** A queue whose leases never end. */
export const heldQueue: LeasedQueue = {
  begin: all,
  renew: all,
  release: () => Effect.void,
  forgive: () => Effect.void,
  recover: Effect.succeed(0),
  woken: Stream.never
}
