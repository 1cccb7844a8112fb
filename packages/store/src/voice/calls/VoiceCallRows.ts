import type { SqlClient } from "@effect/sql"
import { ApiKeyId } from "@switchboard/domain/apiKeys/ApiKey"
import { ConversationId } from "@switchboard/domain/messages/Message"
import { ObjectKey } from "@switchboard/domain/objects/ObjectKey"
import { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { NumberId } from "@switchboard/domain/sms/SmsNumber"
import { VoiceAgentId, VoiceTransport } from "@switchboard/domain/voice/agents/VoiceAgent"
import { ReportedEvent } from "@switchboard/domain/voice/calls/CallControl"
import { CallProgress, CallScript, RecordedSpan } from "@switchboard/domain/voice/calls/CallProgress"
import { VoiceCallId, VoiceCallMetadata, VoiceCallStatus } from "@switchboard/domain/voice/VoiceCall"
import type { CallRun, StoredCall } from "@switchboard/services/voice/calls/StoredCall"
import type { CallKey } from "@switchboard/services/voice/calls/VoiceCallRepo"
import { Clock, DateTime, Effect, Schema } from "effect"
import { notify, queueTables } from "../../queues/QueueTables.js"

const notifyWorkers = (sql: SqlClient.SqlClient) => sql`SELECT ${sql.literal(notify(queueTables.voice_call))}`

/** Queues a new call. */
export const queueCall = (sql: SqlClient.SqlClient, { id, organizationId }: CallKey) =>
  Effect.zipRight(
    sql`INSERT INTO voice_call_queue (organization_id, id, ready_at) VALUES (${organizationId}, ${id}, now())`,
    notifyWorkers(sql)
  )

/** Moves a waiting call to the queue. A worker that holds the call detects the change when it settles the call. */
export const wakeCall = (sql: SqlClient.SqlClient, { id, organizationId }: CallKey) =>
  Effect.zipRight(
    sql`WITH woken AS (
        DELETE FROM voice_call_waiting WHERE organization_id = ${organizationId} AND id = ${id}
        RETURNING organization_id, id
      )
      INSERT INTO voice_call_queue (organization_id, id, ready_at)
      SELECT organization_id, id, now() FROM woken`,
    notifyWorkers(sql)
  )

/**
 * Stores a reported event, unless it is stored, and makes the call ready when it takes effect. Requires a transaction. A
 * worker that holds the call reads the event when it settles the call.
 */
export const deliverEvent = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  call: CallKey,
  reported: ReportedEvent
) {
  const { id, organizationId } = call
  yield* sql`SELECT FROM voice_calls WHERE organization_id = ${organizationId} AND id = ${id} FOR UPDATE`
  const stored = yield* sql`UPDATE voice_call_runs SET inbox = inbox || ${JSON.stringify([reported])}::jsonb
    WHERE organization_id = ${organizationId} AND call_id = ${id}
      AND NOT inbox @> ${JSON.stringify([{ id: reported.id }])}::jsonb RETURNING 1`
  if (stored.length === 0) return
  const now = yield* Clock.currentTimeMillis
  if (reported.at <= now) yield* wakeCall(sql, call)
  else {
    yield* sql`UPDATE voice_call_waiting SET due_at = least(due_at, ${new Date(reported.at)})
      WHERE organization_id = ${organizationId} AND id = ${id}`
  }
})

/** Deletes the queue entries and the progress of a call. */
export const dropCallWork = (sql: SqlClient.SqlClient, { id, organizationId }: CallKey) =>
  Effect.all(
    [
      sql`DELETE FROM voice_call_queue WHERE organization_id = ${organizationId} AND id = ${id}`,
      sql`DELETE FROM voice_call_waiting WHERE organization_id = ${organizationId} AND id = ${id}`,
      sql`DELETE FROM voice_call_runs WHERE organization_id = ${organizationId} AND call_id = ${id}`
    ],
    { discard: true }
  )

const NullableTime = Schema.NullOr(Schema.DateTimeUtcFromDate)

const decodeCall = Schema.decodeUnknownSync(
  Schema.Struct({
    id: VoiceCallId,
    organizationId: OrganizationId,
    voiceAgentId: VoiceAgentId,
    phoneNumberId: Schema.NullOr(NumberId),
    conversationId: Schema.NullOr(ConversationId),
    transport: VoiceTransport,
    direction: Schema.Literal("inbound", "outbound"),
    from: Schema.NullOr(Schema.String),
    to: Schema.String,
    status: VoiceCallStatus,
    callControlId: Schema.NullOr(Schema.String),
    sessionId: Schema.NullOr(Schema.String),
    initiatedAt: NullableTime,
    answeredAt: NullableTime,
    endedAt: NullableTime,
    durationMs: Schema.NullOr(Schema.Number),
    summary: Schema.NullOr(Schema.String),
    recordingKey: Schema.NullOr(ObjectKey),
    transcriptKey: Schema.NullOr(ObjectKey),
    metadata: VoiceCallMetadata,
    speed: Schema.Number,
    originAt: NullableTime,
    untilMs: Schema.Number,
    recorded: Schema.Array(RecordedSpan),
    hangUpAt: NullableTime,
    createdAt: Schema.DateTimeUtcFromDate,
    updatedAt: Schema.DateTimeUtcFromDate
  })
)

const decodeRun = Schema.decodeUnknownSync(
  Schema.Struct({
    script: CallScript,
    apiKeyId: ApiKeyId,
    maySendMessages: Schema.Boolean,
    inbox: Schema.Array(ReportedEvent),
    progress: Schema.NullOr(CallProgress)
  })
)

/** The columns of `voice_calls` for `callFromRow`. */
export const callColumns = `id, organization_id AS "organizationId", voice_agent_id AS "voiceAgentId",
  phone_number_id AS "phoneNumberId", conversation_id AS "conversationId", transport, direction,
  from_number AS "from", to_number AS "to", status, call_control_id AS "callControlId", session_id AS "sessionId",
  initiated_at AS "initiatedAt", answered_at AS "answeredAt", ended_at AS "endedAt", duration_ms AS "durationMs",
  summary, recording_key AS "recordingKey",
  transcript_key AS "transcriptKey", metadata, speed, origin_at AS "originAt", until_ms AS "untilMs", recorded,
  hang_up_at AS "hangUpAt", created_at AS "createdAt", updated_at AS "updatedAt"`

/** The columns of `voice_call_runs` for `runFromRow`. */
export const runColumns = `script, api_key_id AS "apiKeyId", may_send_messages AS "maySendMessages", inbox, progress`

export const callFromRow = (row: object): StoredCall => decodeCall(row)

export const runFromRow = (row: object): CallRun => decodeRun(row)

const instant = (time: DateTime.Utc | null) => (time === null ? null : DateTime.toDateUtc(time))

/** The columns that can change. */
export const callProgressColumns = (call: StoredCall) => ({
  status: call.status,
  call_control_id: call.callControlId,
  session_id: call.sessionId,
  initiated_at: instant(call.initiatedAt),
  answered_at: instant(call.answeredAt),
  ended_at: instant(call.endedAt),
  duration_ms: call.durationMs,
  summary: call.summary,
  recording_key: call.recordingKey,
  transcript_key: call.transcriptKey,
  metadata: JSON.stringify(call.metadata),
  origin_at: instant(call.originAt),
  until_ms: call.untilMs,
  recorded: JSON.stringify(call.recorded),
  hang_up_at: instant(call.hangUpAt),
  updated_at: DateTime.toDateUtc(call.updatedAt)
})

/** All columns of a call. */
export const callRow = (call: StoredCall) => ({
  organization_id: call.organizationId,
  id: call.id,
  voice_agent_id: call.voiceAgentId,
  phone_number_id: call.phoneNumberId,
  conversation_id: call.conversationId,
  transport: call.transport,
  direction: call.direction,
  from_number: call.from,
  to_number: call.to,
  speed: call.speed,
  created_at: DateTime.toDateUtc(call.createdAt),
  ...callProgressColumns(call)
})
