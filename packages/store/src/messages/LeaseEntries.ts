import type { SqlClient } from "@effect/sql"
import type { MessageId } from "@switchboard/domain/messages/Message"
import { longestWait } from "@switchboard/domain/messages/MessageLifecycle"
import type { TakeRequest } from "@switchboard/services/messages/DeliveryQueue"
import { Duration } from "effect"
import { type LeaseRow, leasesOf, newLease } from "../queues/Leases.js"
import { queueChannel } from "./InsertMessages.js"

/**
 * What has waited longer than a message may, the oldest first, found by an index of its own (M0002). Retries that
 * wait apart need no look: none is put off past the message's end, and then it is promoted.
 */
const leaseExpiredStatement = /* sql */ `
UPDATE message_queue AS q SET worker = $2, lease_until = now() + make_interval(secs => $3), ${newLease}
WHERE q.ctid = ANY (ARRAY(SELECT ctid FROM message_queue WHERE lease_until IS NULL AND takeovers >= 0
  AND due_since <= now() - make_interval(secs => $4) ORDER BY due_since LIMIT $1 FOR UPDATE SKIP LOCKED))
RETURNING q.organization_id, q.id, q.message_id, q.takeovers, q.is_repeat, q.due_since, q.ctid::text AS place_in_table`

/** A queue entry that was leased just now. */
export interface MessageLease extends LeaseRow {
  readonly message_id: MessageId
  readonly due_since: Date
}

/** The leases of `message_queue`: organizations take turns. */
export const messageLeases = leasesOf<MessageLease>({
  name: "message_queue",
  owner: "organization_id",
  columns: ["message_id", "due_since"],
  channel: queueChannel
})

/** Leases what the request asks for. To be run in a transaction. */
export const leaseEntries = (sql: SqlClient.SqlClient, request: TakeRequest, cursor: string) =>
  request.expiredOnly
    ? sql.unsafe<MessageLease>(leaseExpiredStatement, [
        request.limit,
        request.worker,
        Duration.toSeconds(request.lease),
        Duration.toSeconds(longestWait)
      ])
    : messageLeases.take(sql, request, cursor)
