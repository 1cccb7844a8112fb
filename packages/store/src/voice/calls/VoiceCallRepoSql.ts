import { SqlClient } from "@effect/sql"
import { addressKindOf } from "@switchboard/domain/messages/Message"
import type { CallRun, StoredCall } from "@switchboard/services/voice/calls/StoredCall"
import { VoiceCallRepo } from "@switchboard/services/voice/calls/VoiceCallRepo"
import { Effect, Layer, Option } from "effect"
import { insertConversationEvents } from "../../conversations/InsertConversationEvents.js"
import { joinConversation } from "../../conversations/JoinConversation.js"
import { forRequest, orUnavailable, retryConflicts } from "../../database/Unavailable.js"
import { insertEvents } from "../../events/InsertEvents.js"
import { withCreationKey } from "../../idempotency/StoreCreationKey.js"
import { countInserted } from "../../organizations/OrganizationCounts.js"
import { findOrCreateParticipant } from "../../participants/FindOrCreateParticipant.js"
import { lockPhone, placeText } from "../../providers/TextPlacement.js"
import { resourceTable } from "../../Resources.js"
import { callProgressColumns, callTable, deliverEvent, dropCallWork, queueCall, wakeCall } from "./VoiceCallRows.js"

/** The conversation of a new call with its other party. None if that is unknown. Requires a transaction. */
const joinParties = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, call: StoredCall) {
  const { createdAt: receivedAt, direction, organizationId } = call
  const [party, number] = direction === "inbound" ? [call.from, call.to] : [call.to, call.from]
  if (party === undefined) return undefined
  yield* lockPhone(sql, organizationId, party)
  const find = (address: string, type: "contact" | "sender") =>
    findOrCreateParticipant(
      sql,
      organizationId,
      { kind: addressKindOf.voice, address },
      { name: address, displayName: null, type }
    )
  const contact = yield* find(party, "contact")
  const own = call.phoneNumberId === undefined || number === undefined ? [] : [yield* find(number, "sender")]
  const placed = { organizationId, channel: "voice", from: contact.id, number: number ?? "", receivedAt } as const
  const title = `Call with ${party}`
  const { conversationId, events, isNew } = yield* placeText(sql, { ...placed, title }, Option.none())
  const participants = [contact, ...own]
  const joined = yield* joinConversation(
    sql,
    organizationId,
    conversationId,
    participants.map(({ id }) => id)
  )
  yield* insertConversationEvents(sql, organizationId, conversationId, [
    ...events,
    ...(!isNew && joined > 0 ? (["conversation.participant_added"] as const) : [])
  ])
  yield* countInserted(sql, organizationId, {
    participants: participants.filter((one) => one.isNew).length,
    conversations: isNew ? 1 : 0
  })
  return conversationId
})

const insertCall = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, placed: StoredCall, run: CallRun) {
  const call = { ...placed, conversationId: yield* joinParties(sql, placed) }
  yield* sql`INSERT INTO voice_calls ${sql.insert(callTable.write(call))}`
  yield* sql`INSERT INTO voice_call_runs ${sql.insert({
    organization_id: call.organizationId,
    call_id: call.id,
    script: JSON.stringify(run.script),
    api_key_id: run.apiKeyId,
    may_send_messages: run.maySendMessages,
    inbox: JSON.stringify(run.inbox),
    progress: null
  })}`
  yield* queueCall(sql, call)
  return call
})

/** Calls in the table `voice_calls`, with their progress in `voice_call_runs`. */
export const VoiceCallRepoSql = Layer.effect(
  VoiceCallRepo,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const calls = resourceTable(sql, callTable)

    return {
      place: (call, run) =>
        insertCall(sql, call, run).pipe(
          sql.withTransaction,
          withCreationKey(sql, () => call.id),
          retryConflicts,
          forRequest
        ),
      find: calls.find,
      list: (organization, { direction, status, voiceAgentId }, request) =>
        calls.list(organization, { equal: { status, direction, voice_agent_id: voiceAgentId } }, request),
      deliver: (call, reported) =>
        deliverEvent(sql, call, reported).pipe(sql.withTransaction, retryConflicts, orUnavailable),
      change: (organization, id, decide) =>
        calls
          .change(organization, id, (present) =>
            Effect.gen(function* () {
              const { call, events, work } = yield* decide(present)
              yield* sql`UPDATE voice_calls SET ${sql.update(callProgressColumns(call))}
                WHERE organization_id = ${organization} AND id = ${id}`
              if (work === "now") yield* wakeCall(sql, call)
              if (work === "never") yield* dropCallWork(sql, call)
              yield* insertEvents(sql, events)
            })
          )
          .pipe(Effect.map(Option.isSome))
    }
  })
)
