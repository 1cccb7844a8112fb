import type { DestinationState } from "@switchboard/domain/system/SystemStatus"
import { Effect, type Scope } from "effect"

/** The destinations of direct delivery that this process sends mail to, for operators. */
export class Destinations extends Effect.Service<Destinations>()("services/Destinations", {
  sync: () => {
    const states = new Set<Effect.Effect<DestinationState>>()
    return {
      /** Shows a destination until the scope closes. */
      show: (state: Effect.Effect<DestinationState>): Effect.Effect<void, never, Scope.Scope> =>
        Effect.asVoid(
          Effect.acquireRelease(
            Effect.sync(() => states.add(state)),
            () => Effect.sync(() => states.delete(state))
          )
        ),
      /** The states of all destinations. */
      all: Effect.suspend(() => Effect.all([...states]))
    } as const
  }
}) {}
