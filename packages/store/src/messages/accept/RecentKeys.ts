import type { ConflictError, ServiceUnavailableError } from "@switchboard/domain/Errors"
import type { Message } from "@switchboard/domain/messages/Message"
import type { Accepted, NewMessage } from "@switchboard/services/messages/MessageRepo"
import { Effect, Option } from "effect"
import { LRUCache } from "lru-cache"
import type { Repetition } from "./FindReplays.js"

/** The maximum number of remembered keys. A key has at most 255 characters. */
const maxKeys = 10_000

/**
 * Remembers the idempotency keys of the last accepted sends. For a send with one of them, looks for the earlier message
 * before `accept`, which costs more. `accept` finds a repetition itself: correctness does not depend on these keys.
 */
export const findRecentFirst = <E>(
  accept: (message: NewMessage) => Effect.Effect<Accepted, E>,
  findReplay: (send: Repetition) => Effect.Effect<Option.Option<Message>, ConflictError | ServiceUnavailableError>
) => {
  const keys = new LRUCache<string, true>({ max: maxKeys })
  return (message: NewMessage): Effect.Effect<Accepted, E | ConflictError | ServiceUnavailableError> =>
    Effect.suspend(() => {
      const { facts, identity } = message
      const { organizationId: organization } = facts
      if (identity.idempotencyKey === null) return accept(message)
      const key = `${organization} ${identity.idempotencyKey.key}`
      const store = () => Effect.tap(accept(message), () => Effect.sync(() => keys.set(key, true)))
      if (keys.get(key) === undefined) return store()
      return Effect.flatMap(
        findReplay({ organization, identity }),
        Option.match({
          onNone: store,
          onSome: (original) => Effect.succeed<Accepted>({ message: original, replayed: true })
        })
      )
    })
}
