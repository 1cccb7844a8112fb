import type { SqlClient } from "@effect/sql"
import { ConflictError, type ServiceUnavailableError } from "@switchboard/domain/Errors"
import type { Message } from "@switchboard/domain/messages/Message"
import { unsuccessfulStatuses } from "@switchboard/domain/messages/state/MessageStatus"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import type { Accepted, NewMessage, SendIdentity } from "@switchboard/services/messages/MessageRepo"
import { Array, Duration, Effect, Option } from "effect"
import { LRUCache } from "lru-cache"
import { prepared } from "../../database/Prepared.js"
import { textList } from "../../database/TextList.js"
import { orUnavailable } from "../../database/Unavailable.js"
import { type MessageRow, messageColumns, messageFromRow } from "../MessageJson.js"
import { messageTables } from "../MessageRows.js"

/** The error for an idempotency key that is reused with a different request. */
export const keyReused = new ConflictError({
  message: "The idempotency key was used before with a different request",
  resource: "message"
})
const deleted = new ConflictError({
  message: "The idempotency key belongs to a message that was deleted",
  resource: "message"
})

/**
 * A condition on `message_contents AS c`: the earlier message can be returned for a send with the same content. False
 * if the earlier message failed, bounced, was cancelled or was deleted.
 */
export const canBeReplayed = `EXISTS (SELECT 1 FROM message_states AS s WHERE s.organization_id = c.organization_id
  AND s.message_id = c.message_id AND s.status NOT IN ${textList(unsuccessfulStatuses)})`

/** A send that may repeat an earlier one. */
export interface Repetition {
  readonly organization: OrganizationId
  readonly identity: SendIdentity
}

/** The earlier message with a send's key, or without a key with its content. Null if none exists or it was deleted. */
type ReplayRow = { readonly fingerprint: string | null } & (MessageRow | { readonly id: null })

/** One row per send, in order. `OFFSET 0` forces look-ups by primary key: PostgreSQL expects 100 sends in a batch. */
const replayStatement = prepared(
  "find_replays",
  /* sql */ `
SELECT k.fingerprint, found.*
FROM json_to_recordset($1::json)
    AS g(ord int, organization_id uuid, key text, content_hash text, window_seconds float8)
  LEFT JOIN LATERAL (
    SELECT k.fingerprint, k.message_id FROM message_claims AS k
    WHERE k.organization_id = g.organization_id AND k.key = g.key LIMIT 1
  ) AS k ON true
  LEFT JOIN LATERAL (
    SELECT c.message_id FROM message_contents AS c
    WHERE g.key IS NULL AND c.organization_id = g.organization_id AND c.content_hash = g.content_hash
      AND c.accepted_at > now() - make_interval(secs => g.window_seconds) AND ${canBeReplayed} LIMIT 1
  ) AS c ON true
  LEFT JOIN LATERAL (
    SELECT ${messageColumns} FROM ${messageTables}
    WHERE m.organization_id = g.organization_id AND m.id = COALESCE(k.message_id, c.message_id) OFFSET 0
  ) AS found ON true
ORDER BY g.ord`
)

const replayOf = (row: ReplayRow, { idempotencyKey }: SendIdentity) => {
  // Without a key, or with a new key, there is no stored fingerprint to compare.
  if (row.fingerprint !== null && row.fingerprint !== idempotencyKey?.fingerprint) return keyReused
  if (row.id !== null) return Effect.succeed(Option.some(messageFromRow(row)))
  return row.fingerprint === null ? Effect.succeedNone : deleted
}

/**
 * Finds the earlier messages that a batch of sends repeats, in one statement: by key, or by content within the window
 * for sends without a key. One result per send, in order.
 */
export const findReplays = (sql: SqlClient.SqlClient) => (batch: ReadonlyArray<Repetition>) =>
  orUnavailable(
    Effect.map(
      sql.unsafe<ReplayRow>(replayStatement, [
        JSON.stringify(
          batch.map(({ identity, organization }, ord) => ({
            ord,
            organization_id: organization,
            key: identity.idempotencyKey?.key ?? null,
            content_hash: identity.contentHash,
            window_seconds: Duration.toSeconds(identity.dedupeWindow)
          }))
        )
      ]),
      (rows) => Array.zipWith(rows, batch, (row, { identity }) => replayOf(row, identity))
    )
  )

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
