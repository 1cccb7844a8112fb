import { randomBytes } from "node:crypto"
import { MasterKey, Signatures } from "@switchboard/services/Signatures"
import { SessionRepo, type StorableSession } from "@switchboard/services/sessions/SessionRepo"
import { Sessions } from "@switchboard/services/sessions/Sessions"
import { DateTime, Effect, Layer, Option, Redacted } from "effect"

/** The log-ins of one process, which end with it. */
export const sessionsInMemory = Layer.suspend(() => {
  const rows = new Map<string, StorableSession>()
  return Sessions.Default.pipe(
    Layer.provide(
      Layer.succeed(SessionRepo, {
        insert: (session) => Effect.sync(() => void rows.set(session.hash, session)),
        findKeyHash: (hash) =>
          Effect.map(DateTime.now, (now) =>
            Option.map(
              Option.filter(Option.fromNullable(rows.get(hash)), ({ expiresAt }) =>
                DateTime.greaterThan(expiresAt, now)
              ),
              ({ keyHash }) => keyHash
            )
          ),
        remove: (hash) => Effect.sync(() => void rows.delete(hash)),
        deleteExpired: Effect.succeed(0)
      })
    ),
    Layer.provide(Signatures.Live),
    Layer.provide(Layer.succeed(MasterKey, Redacted.make<Uint8Array>(randomBytes(32))))
  )
})
