import type { EntryKey, Leases } from "@switchboard/services/queues/WorkQueue"
import { Effect, Stream } from "effect"

export const idsOf = (entries: ReadonlyArray<EntryKey>) => entries.map(({ id }) => id)

const all = (_: string, entries: ReadonlyArray<EntryKey>) => Effect.succeed(new Set(idsOf(entries)))

/** Leases that never expire. */
export const heldQueue: Leases = {
  begin: all,
  renew: all,
  release: () => Effect.void,
  forgive: () => Effect.void,
  recover: Effect.succeed(0),
  promote: Effect.succeed(0),
  awaitDue: Effect.never,
  woken: Stream.never
}
