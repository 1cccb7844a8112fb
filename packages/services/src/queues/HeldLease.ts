import { Context, Effect } from "effect"

/**
 * Whether the lease of the entry that is attempted certainly still holds. Checked before each send: after a pause of the
 * process another worker may have sent it.
 */
export class HeldLease extends Context.Reference<HeldLease>()("services/HeldLease", {
  defaultValue: (): Effect.Effect<boolean> => Effect.succeed(true)
}) {}
