import type { SqlClient } from "@effect/sql"
import type { SqlError } from "@effect/sql/SqlError"
import { type Click, clicksByPersons } from "@switchboard/domain/email/tracking/Click"
import type { Delivery } from "@switchboard/domain/messages/delivery/Delivery"
import type { ErrorDetails, MessageId, StatusEntry } from "@switchboard/domain/messages/Message"
import type { ClickStep } from "@switchboard/domain/messages/state/MessageAsOf"
import type { MessageState } from "@switchboard/domain/messages/state/MessageState"
import type { MessageStatus } from "@switchboard/domain/messages/state/MessageStatus"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { newUuid } from "@switchboard/services/NewId"
import { DateTime, Effect } from "effect"
import { prepared } from "../database/Prepared.js"

/** An event as a record for `json_to_recordset`. */
export interface EventRecord {
  readonly organization_id: OrganizationId
  readonly id: string
  readonly type: string
  readonly subject_id: string
  readonly data: unknown
  readonly created_at: string
}

/** The columns of `EventRecord` in a `json_to_recordset`. */
export const eventColumns =
  "organization_id uuid, id uuid, type text, subject_id uuid, data json, created_at timestamptz"

/**
 * An event of a message, with an id of its time, and with the status before it for rollups. Ids of the same millisecond
 * keep the order of the calls.
 */
export const messageEvent = (
  organizationId: OrganizationId,
  messageId: MessageId,
  type: string,
  data: { readonly timestamp: string; readonly before?: MessageStatus | undefined } | typeof ClickStep.Encoded
): EventRecord => ({
  organization_id: organizationId,
  id: newUuid(Date.parse(data.timestamp)),
  type,
  subject_id: messageId,
  data,
  created_at: data.timestamp
})

/** A row of `message_states`, as `stateColumns` selects it. */
export interface StateRow {
  readonly status: MessageStatus
  readonly status_history: ReadonlyArray<StatusEntry>
  readonly deliveries: ReadonlyArray<Delivery>
  readonly clicks: ReadonlyArray<Click> | null
  readonly provider: string | null
  readonly provider_message_id: string | null
  readonly provider_status: string | null
  readonly provider_response: unknown
  readonly sent_at: Date | null
  readonly delivered_at: Date | null
  readonly read_at: Date | null
  readonly failed_at: Date | null
  readonly retry_count: number
  readonly state_max_retries: number
  readonly delivery_attempts: number
  readonly last_error: string | null
  readonly error_details: ErrorDetails | null
  readonly last_attempt_at: Date | null
  readonly updated_at: Date
}

/** The columns of `message_states AS s` for a `StateRow`. */
export const stateColumns = `s.status, s.status_history, s.deliveries, s.clicks, s.provider, s.provider_message_id,
  s.provider_status, s.provider_response, s.sent_at, s.delivered_at, s.read_at, s.failed_at, s.retry_count,
  s.max_retries AS state_max_retries, s.delivery_attempts, s.last_error, s.error_details, s.last_attempt_at, s.updated_at`

const time = (at: Date | null) => (at === null ? null : DateTime.unsafeFromDate(at))

/** Decodes a state. */
export const stateFromRow = (row: StateRow): MessageState => ({
  status: row.status,
  statusHistory: row.status_history,
  deliveries: row.deliveries,
  clicks: row.clicks ?? [],
  provider: row.provider,
  providerMessageId: row.provider_message_id,
  providerStatus: row.provider_status,
  providerResponse: row.provider_response,
  sentAt: time(row.sent_at),
  deliveredAt: time(row.delivered_at),
  readAt: time(row.read_at),
  failedAt: time(row.failed_at),
  retryCount: row.retry_count,
  maxRetries: row.state_max_retries,
  deliveryAttempts: row.delivery_attempts,
  lastError: row.last_error,
  errorDetails: row.error_details,
  lastAttemptAt: time(row.last_attempt_at),
  updatedAt: DateTime.unsafeFromDate(row.updated_at)
})

/** The columns of a state in a `json_to_recordset`, as `stateRecord` writes them. */
export const stateRecordColumns = `status text, status_history json, deliveries json, clicks json, provider text,
  provider_message_id text, provider_status text, provider_response json, sent_at timestamptz,
  delivered_at timestamptz, read_at timestamptz, failed_at timestamptz, retry_count integer,
  state_max_retries integer, delivery_attempts integer, last_error text, error_details json,
  last_attempt_at timestamptz, updated_at timestamptz`

/** A state as a record for `json_to_recordset`. */
export const stateRecord = (state: MessageState) => ({
  status: state.status,
  status_history: state.statusHistory,
  deliveries: state.deliveries,
  clicks: state.clicks.length === 0 ? null : state.clicks,
  provider: state.provider,
  provider_message_id: state.providerMessageId,
  provider_status: state.providerStatus,
  provider_response: state.providerResponse,
  sent_at: state.sentAt,
  delivered_at: state.deliveredAt,
  read_at: state.readAt,
  failed_at: state.failedAt,
  retry_count: state.retryCount,
  state_max_retries: state.maxRetries,
  delivery_attempts: state.deliveryAttempts,
  last_error: state.lastError,
  error_details: state.errorDetails,
  last_attempt_at: state.lastAttemptAt,
  updated_at: state.updatedAt
})

/** The columns of a new state in a `json_to_recordset`. All other columns are NULL. */
export const newStateColumns = `status text, status_history json, deliveries json, retry_count integer,
  state_max_retries integer, delivery_attempts integer, failed_at timestamptz, last_error text, error_details json,
  updated_at timestamptz`

/** A new state as a record for `json_to_recordset`. */
export const newStateRecord = (state: MessageState) => ({
  status: state.status,
  status_history: state.statusHistory,
  deliveries: state.deliveries,
  retry_count: state.retryCount,
  state_max_retries: state.maxRetries,
  delivery_attempts: state.deliveryAttempts,
  failed_at: state.failedAt,
  last_error: state.lastError,
  error_details: state.errorDetails,
  updated_at: state.updatedAt
})

/** The key of a message. */
export interface MessageKey {
  readonly organizationId: OrganizationId
  readonly messageId: MessageId
}

/** The change of a message's state, for `writeStates`. */
export interface StateChange extends MessageKey {
  readonly before: MessageState
  readonly after: MessageState
}

/**
 * Finds the rows by one primary key lookup each, with any query plan: a join would read all states while the table is
 * small.
 */
const updateStates = prepared(
  "update_states",
  /* sql */ `
WITH new_states AS MATERIALIZED (
  SELECT * FROM json_to_recordset($1::json) AS g(organization_id uuid, message_id uuid, ${stateRecordColumns})
), moved AS (
  UPDATE message_states AS s SET
    status = g.status, status_history = g.status_history, deliveries = g.deliveries, clicks = g.clicks,
    provider = g.provider,
    provider_message_id = g.provider_message_id, provider_status = g.provider_status,
    provider_response = g.provider_response, sent_at = g.sent_at, delivered_at = g.delivered_at, read_at = g.read_at,
    failed_at = g.failed_at, retry_count = g.retry_count, max_retries = g.state_max_retries,
    delivery_attempts = g.delivery_attempts, last_error = g.last_error, error_details = g.error_details,
    last_attempt_at = g.last_attempt_at, updated_at = g.updated_at
  FROM new_states AS g
  WHERE s.ctid = ANY (ARRAY(
    SELECT p.place_in_table FROM new_states AS n CROSS JOIN LATERAL (
      SELECT ctid AS place_in_table FROM message_states AS m
      WHERE m.organization_id = n.organization_id AND m.message_id = n.message_id LIMIT 1
    ) AS p
  )) AND s.organization_id = g.organization_id AND s.message_id = g.message_id
)
INSERT INTO events (organization_id, id, type, subject_id, data, created_at)
SELECT organization_id, id, type, subject_id, data, created_at FROM json_to_recordset($2::json) AS e(${eventColumns})`
)

/** An event for each new click of a person, after those of its status changes. */
const clickEvents = ({ after, before, messageId, organizationId }: StateChange): ReadonlyArray<EventRecord> => {
  if (after.clicks === before.clicks) return []
  const isClicked = clicksByPersons(before.clicks).length > 0
  return clicksByPersons(after.clicks)
    .filter((click) => !before.clicks.includes(click))
    .map(({ at }, index) =>
      messageEvent(organizationId, messageId, "message.clicked", { timestamp: at, isFirst: !isClicked && index === 0 })
    )
}

/**
 * An event for each status change, with the status before it, which rollups need (`rollups/FoldedEvents.ts`). An entry
 * that repeats a status is a note, except a repeated attempt (`processing`).
 */
const newEvents = ({ after, before, messageId, organizationId }: StateChange): ReadonlyArray<EventRecord> =>
  after.statusHistory.flatMap((entry, index) =>
    index < before.statusHistory.length ||
    (entry.status === after.statusHistory[index - 1]?.status && entry.status !== "processing")
      ? []
      : [
          messageEvent(organizationId, messageId, `message.${entry.status}`, {
            ...entry,
            before: after.statusHistory[index - 1]?.status
          })
        ]
  )

/**
 * Stores states and an event for each status change in one statement. The caller must hold the locks of the state rows,
 * taken in the order of organization and message.
 */
export const writeStates = (
  sql: SqlClient.SqlClient,
  changes: ReadonlyArray<StateChange>
): Effect.Effect<void, SqlError> =>
  changes.length === 0
    ? Effect.void
    : Effect.suspend(() =>
        sql.unsafe(updateStates, [
          JSON.stringify(
            changes.map(({ after, messageId, organizationId }) => ({
              organization_id: organizationId,
              message_id: messageId,
              ...stateRecord(after)
            }))
          ),
          JSON.stringify(changes.flatMap((change) => [...newEvents(change), ...clickEvents(change)]))
        ])
      ).pipe(Effect.asVoid)

/** A LATERAL join over sorted keys: all transactions lock states in the same order, with any query plan. */
const lockStatement = prepared(
  "lock_states",
  /* sql */ `
SELECT s.* FROM (SELECT * FROM json_to_recordset($1::json) AS g(organization_id uuid, message_id uuid)
    ORDER BY organization_id, message_id) AS t
  CROSS JOIN LATERAL (
    SELECT s.message_id, ${stateColumns} FROM message_states AS s
    WHERE s.organization_id = t.organization_id AND s.message_id = t.message_id FOR UPDATE
  ) AS s`
)

/** Locks the states of messages. Returns them by message id. */
export const lockStates = (sql: SqlClient.SqlClient, messages: ReadonlyArray<MessageKey>) =>
  Effect.map(
    sql.unsafe<StateRow & { readonly message_id: MessageId }>(lockStatement, [
      JSON.stringify(
        messages.map(({ messageId, organizationId }) => ({ organization_id: organizationId, message_id: messageId }))
      )
    ]),
    (rows) => new Map(rows.map((row) => [row.message_id, stateFromRow(row)]))
  )
