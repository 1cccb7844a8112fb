/** The indexes of the first partition of each partitioned table, and of the table, by the names that the latter get. */
const partitionIndexes = {
  api_key_activity_at: "api_key_activity_partitioned_at_idx",
  api_key_activity_pkey: "api_key_activity_partitioned_pkey",
  events_pkey: "events_partitioned_pkey",
  webhook_attempts_at: "webhook_attempts_partitioned_at_idx",
  webhook_attempts_pkey: "webhook_attempts_partitioned_pkey",
  webhook_bodies_message: "webhook_bodies_partitioned_organization_id_message_id_idx",
  webhook_bodies_pkey: "webhook_bodies_partitioned_pkey",
  webhook_deliveries_created: "webhook_deliveries_partitioned_created_at_idx",
  webhook_deliveries_endpoint: "webhook_deliveries_partitione_organization_id_endpoint_id_i_idx",
  webhook_deliveries_pkey: "webhook_deliveries_partitioned_pkey",
  webhook_deliveries_status: "webhook_deliveries_partitione_organization_id_endpoint_id_s_idx",
  webhook_deliveries_type: "webhook_deliveries_partitione_organization_id_endpoint_id_e_idx"
}

/** What the upgrade from 0.2.0 to 0.3.0 changes, in this order. */
const parts = {
  "what releases before 0.2.0 used": /* sql */ `
DROP FUNCTION sum_older_threads, label_older_conversations, tag_older_messages;
DROP TABLE listed_states, thread_sums_progress, conversation_labels_progress, message_tags_progress,
  retention_postponed;
DROP FUNCTION redirect_postponed;
DROP FUNCTION skip_row, ignore_row CASCADE;
ALTER TABLE events DROP COLUMN xid;`,

  "one form of the queues": /* sql */ `
${["message", "webhook", "inbound", "voice_call", "voice_notice"]
  .map((queue) => `ALTER TABLE ${queue}_waiting DROP COLUMN takeovers;`)
  .join("\n")}
${["message", "webhook", "inbound", "forwarding", "voice_call", "voice_notice"]
  .map((queue) => `ALTER TABLE ${queue}_queue RENAME COLUMN takeovers TO lease_expiries;`)
  .join("\n")}
ALTER TABLE voice_notice_waiting ALTER COLUMN retries_used SET DEFAULT 0;
ALTER INDEX message_queue_lanes RENAME TO message_queue_ready;`,

  "threads, which are summed when they are read": /* sql */ `
DROP TRIGGER messages_thread_added ON messages;
DROP TRIGGER messages_thread_changed ON messages;
DROP TRIGGER messages_thread_removed ON messages;
DROP TRIGGER threads_read ON threads;
DROP TRIGGER conversations_thread_status ON conversations;
DROP FUNCTION thread_status, add_threads, add_thread_quarter, lock_thread, add_thread_participants,
  is_unread, add_to_thread, remove_from_thread, change_in_thread, sum_thread, count_unread, change_thread_status;

-- A thread exists while it has messages.
DELETE FROM threads AS t WHERE NOT EXISTS (
  SELECT FROM thread_sums AS s WHERE s.organization_id = t.organization_id AND s.thread_id = t.id
);
ALTER TABLE threads DROP COLUMN is_counted,
  -- The status of the conversation: active, resolved or archived.
  ADD COLUMN status text;
UPDATE threads AS t SET status = s.status FROM thread_sums AS s
WHERE s.organization_id = t.organization_id AND s.thread_id = t.id;
ALTER TABLE threads ALTER COLUMN status SET NOT NULL;
ALTER TABLE threads SET (autovacuum_vacuum_insert_scale_factor = 0.02);
-- Threads by status.
CREATE INDEX threads_status ON threads (organization_id, status, id);

ALTER TABLE organization_usage
  -- The number of threads by status.
  ADD COLUMN active_threads integer NOT NULL DEFAULT 0,
  ADD COLUMN resolved_threads integer NOT NULL DEFAULT 0,
  ADD COLUMN archived_threads integer NOT NULL DEFAULT 0;
UPDATE organization_usage AS u SET active_threads = active, resolved_threads = resolved, archived_threads = archived
FROM thread_counts AS c WHERE c.organization_id = u.organization_id;

-- The thread of the message.
ALTER TABLE message_participants ADD COLUMN thread_id uuid;
UPDATE message_participants AS p SET thread_id = m.thread_id FROM messages AS m
WHERE m.thread_id IS NOT NULL AND p.organization_id = m.organization_id
  AND p.participant_id = ANY (m.from_participant_id || m.to_participant_ids) AND p.message_id = m.id;
-- The threads of a participant.
CREATE INDEX message_participants_thread ON message_participants (organization_id, participant_id, thread_id)
  WHERE thread_id IS NOT NULL;

DROP INDEX messages_thread;
-- The messages of a thread, in order, with all columns that a thread consists of.
CREATE INDEX messages_thread ON messages (organization_id, thread_id, id)
  INCLUDE (direction, created_at, attachment_count, from_participant_id, to_participant_ids)
  WHERE thread_id IS NOT NULL;

DROP TABLE thread_sums, thread_participants, thread_counts, thread_quarters;`,

  "tags, labels, listed statuses and names, which their statements write": /* sql */ `
DROP TRIGGER messages_tagged ON messages;
DROP TRIGGER messages_retagged ON messages;
DROP TRIGGER messages_untagged ON messages;
DROP FUNCTION tag_messages, retag_message;
DROP TRIGGER conversations_labelled ON conversations;
DROP TRIGGER conversations_relabelled ON conversations;
DROP FUNCTION label_conversation, labels_of;
DROP TRIGGER participants_named ON participants;
DROP FUNCTION name_participant;
DROP TRIGGER messages_service_window ON messages;
DROP FUNCTION open_window_of_sender, open_service_window;

DROP TRIGGER message_states_listed ON message_states;
ALTER TABLE message_states DROP COLUMN listed_status,
  -- The status; 'open' for pending and processing, so that an update from one to the other changes no index (HOT).
  ADD COLUMN listed_status text NOT NULL
    GENERATED ALWAYS AS (CASE WHEN status IN ('pending', 'processing') THEN 'open' ELSE status END) STORED;
CREATE INDEX message_states_listed ON message_states (organization_id, listed_status, message_id);
DROP FUNCTION set_listed_status, listed_status;`,

  "what earlier releases stored in another form": /* sql */ `
UPDATE messages SET subject_line = content ->> 'subject' WHERE subject_line IS NULL AND content ->> 'subject' IS NOT NULL;
CREATE OR REPLACE FUNCTION message_texts(subject_line text, content json, addressing json, external_id text,
  reference_id text, direction text)
RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN COALESCE(subject_line, '') || COALESCE(addressing ->> 'to', '')
  || COALESCE(addressing ->> 'cc', '') || COALESCE(addressing ->> 'bcc', '') || COALESCE(external_id, '')
  || COALESCE(reference_id, '') || CASE WHEN direction = 'inbound' THEN COALESCE(content ->> 'from', '') ELSE '' END;

-- Deliveries from before migration 58 get the ids that are made of their events and endpoints.
CREATE TEMPORARY TABLE renamed ON COMMIT DROP AS
SELECT d.organization_id, d.id AS old_id, webhook_delivery_id(d.event_id, d.endpoint_id) AS new_id
FROM webhook_deliveries AS d JOIN events AS e ON e.organization_id = d.organization_id AND e.id = d.event_id
WHERE d.id <> webhook_delivery_id(d.event_id, d.endpoint_id);
UPDATE webhook_deliveries AS d SET id = new_id FROM renamed AS r
WHERE d.organization_id = r.organization_id AND d.id = old_id;
UPDATE webhook_attempts AS a SET delivery_id = new_id FROM renamed AS r
WHERE a.organization_id = r.organization_id AND a.delivery_id = old_id;
UPDATE webhook_bodies AS b SET delivery_id = new_id FROM renamed AS r
WHERE b.organization_id = r.organization_id AND b.delivery_id = old_id;
UPDATE webhook_queue AS q SET id = new_id FROM renamed AS r WHERE q.organization_id = r.organization_id AND q.id = old_id;
UPDATE webhook_waiting AS w SET id = new_id FROM renamed AS r
WHERE w.organization_id = r.organization_id AND w.id = old_id;
-- The first partition had a unique key of endpoint and event.
DROP INDEX IF EXISTS webhook_deliveries_event_key;`,

  "names of the indexes of partitioned tables": Object.entries(partitionIndexes)
    .map(
      ([name, before]) => /* sql */ `
ALTER INDEX IF EXISTS ${name} RENAME TO ${name}_first;
ALTER INDEX ${before} RENAME TO ${name};`
    )
    .join("")
}

/** Upgrades a database of 0.2.0. The processes of 0.2.0 are stopped before. */
export const M0077Upgrade = Object.values(parts).join("\n")
