import { type MessageRow, messageParticipants } from "./MessageRows.js"
import { type StateRow, stateColumns } from "./StateRows.js"

type Own = Exclude<keyof MessageRow, keyof StateRow | "content" | "participants">

/** Columns by name: `SELECT *` would read the bodies too. The type ensures that none is missing. */
const own: Record<Own, true> = {
  id: true,
  organization_id: true,
  conversation_id: true,
  thread_id: true,
  parent_message_id: true,
  from_participant_id: true,
  to_participant_ids: true,
  participant_metadata: true,
  channel: true,
  direction: true,
  addressing: true,
  scheduled_at: true,
  cost: true,
  currency: true,
  max_retries: true,
  queue_message_id: true,
  tags: true,
  categories: true,
  is_test: true,
  is_internal: true,
  is_automated: true,
  external_id: true,
  reference_id: true,
  api_key_id: true,
  http_method: true,
  api_request_metadata: true,
  created_at: true,
  created_by: true
}

/**
 * The columns of `messageTables` for a `MessageRow` with empty bodies, which may be many megabytes each. The rest of
 * the content is unchanged.
 */
export const columnsWithoutBodies = `${Object.keys(own)
  .map((name) => `m.${name}`)
  .join(
    ", "
  )}, ${stateColumns}, (SELECT json_object_agg(key, CASE WHEN key IN ('html', 'text') THEN '""' ELSE value END)
    FROM json_each(m.content)) AS content, ${messageParticipants}`
