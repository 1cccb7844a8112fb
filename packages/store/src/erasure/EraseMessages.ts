import type { SqlClient } from "@effect/sql"
import { addressKey } from "@switchboard/domain/email/EmailAddress"
import type { MessageId } from "@switchboard/domain/messages/Message"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import type { Counted, Erasure } from "@switchboard/services/erasure/ErasureRepo"
import type { MessageRepo } from "@switchboard/services/messages/MessageRepo"
import { Effect } from "effect"
import { retryConflicts } from "../database/Unavailable.js"
import { mentionOf } from "./Mentions.js"
import { removeRecipient } from "./RemoveRecipient.js"

/** A message to or from the address. */
export interface MessageWithAddress {
  readonly organizationId: OrganizationId
  readonly id: MessageId
  /** Whether the message is only to the address, or from it. */
  readonly isTheirs: boolean
}

/** The recipients of `messages AS m`, in lower case. */
const recipients = `(SELECT lower(one) AS one FROM unnest(ARRAY['to', 'cc', 'bcc']) AS role
  CROSS JOIN LATERAL json_array_elements_text(m.addressing -> role) AS one)`

/** The messages of `$1` (organizations) and `$2` (ids) that are to or from the address. */
const messagesStatement = /* sql */ `
SELECT m.organization_id AS "organizationId", m.id, CASE m.direction WHEN 'inbound' THEN m.content ->> 'from' ~* $4
    ELSE NOT EXISTS (SELECT FROM ${recipients} AS r WHERE one <> $3) END AS "isTheirs"
FROM unnest($1::uuid[], $2::uuid[]) AS k(organization_id, id)
  CROSS JOIN LATERAL (SELECT * FROM messages WHERE organization_id = k.organization_id AND id = k.id OFFSET 0) AS m
WHERE $3 IN (SELECT one FROM ${recipients} AS r) OR m.direction = 'inbound' AND m.content ->> 'from' ~* $4
ORDER BY m.organization_id, m.id`

/**
 * Removes messages only to or from the address, and the address from messages with other recipients. Other messages
 * stay unchanged. Each message is a transaction.
 */
export const eraseMessages = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  messages: typeof MessageRepo.Service,
  { address }: Erasure,
  keys: ReadonlyArray<readonly [organization: string, id: string]>
) {
  const named = yield* sql.unsafe<MessageWithAddress>(messagesStatement, [
    keys.map(([organization]) => organization),
    keys.map(([, id]) => id),
    addressKey(address),
    mentionOf(address)
  ])
  const theirs = named.filter(({ isTheirs }) => isTheirs)
  const shared = named.filter(({ isTheirs }) => !isTheirs)
  yield* Effect.forEach(theirs, ({ id, organizationId }) => messages.remove(organizationId, id))
  yield* Effect.forEach(shared, (message) =>
    removeRecipient(sql, message, address).pipe(sql.withTransaction, retryConflicts)
  )
  const counts: ReadonlyArray<Counted> = [
    { what: "messages", count: theirs.length },
    { what: "recipients of messages with other recipients", count: shared.length }
  ]
  return counts
})
