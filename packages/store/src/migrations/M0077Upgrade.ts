import { M0077Rollups } from "./M0077Rollups.js"

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

  "figures, which are folded from events": M0077Rollups,

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

-- An update that moves a row to another partition also fires its trigger of deletions.
DROP TRIGGER webhook_deliveries_body ON webhook_deliveries;
DROP FUNCTION delete_delivery_body;
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
    .join(""),

  "one table of secrets": /* sql */ `
CREATE TABLE secrets (
  organization_id uuid NOT NULL,
  owner text NOT NULL,
  purpose text NOT NULL,
  version integer NOT NULL,
  valid_until timestamptz,
  value bytea NOT NULL,
  PRIMARY KEY (organization_id, owner, purpose, version)
);

INSERT INTO secrets (organization_id, owner, purpose, version, valid_until, value)
SELECT organization_id, id || '/sm1', 'dkim-key', 1, NULL::timestamptz, sm1_private_key FROM email_domains
UNION ALL SELECT organization_id, id || '/sm2', 'dkim-key', 1, NULL, sm2_private_key FROM email_domains
UNION ALL SELECT organization_id, id::text, 'webhook-headers', 1, NULL, headers FROM webhook_endpoints
  WHERE headers IS NOT NULL
UNION ALL SELECT organization_id, id::text, 'webhook-headers', 1, NULL, webhook_headers FROM voice_agents
  WHERE webhook_headers IS NOT NULL
UNION ALL SELECT organization_id, id::text, 'webhook-secret', 1, NULL, webhook_secret FROM voice_agents
  WHERE webhook_secret IS NOT NULL
UNION ALL SELECT organization_id, owner, 'webhook-secret',
    row_number() OVER (PARTITION BY organization_id, owner ORDER BY valid_until NULLS LAST), valid_until, value
  FROM (
    SELECT organization_id, id::text, NULL::timestamptz, secret FROM webhook_endpoints
    UNION ALL SELECT organization_id, id::text, previous_secret_until, previous_secret FROM webhook_endpoints
      WHERE previous_secret IS NOT NULL AND previous_secret_until > now()
    UNION ALL SELECT organization_id, endpoint_id::text, signs_until, secret FROM earlier_webhook_secrets
      WHERE signs_until > now()
  ) AS s (organization_id, owner, valid_until, value);

ALTER TABLE email_domains DROP COLUMN sm1_private_key, DROP COLUMN sm2_private_key;
ALTER TABLE voice_agents DROP COLUMN webhook_headers, DROP COLUMN webhook_secret;
ALTER TABLE webhook_endpoints DROP COLUMN headers, DROP COLUMN secret, DROP COLUMN previous_secret,
  DROP COLUMN previous_secret_until;
DROP TABLE earlier_webhook_secrets;`,

  // The rows that stayed of dropped partitions are in the default partition, which replaces the open one.
  "monthly partitions": /* sql */ `
-- Expired rows are found by primary key instead of the time of their storage.
DROP INDEX api_key_activity_at, webhook_attempts_at, webhook_deliveries_created;
DO $$
DECLARE
  tables CONSTANT text[] := '{events,api_key_activity,webhook_attempts,webhook_deliveries,webhook_bodies}';
  name text;
  id text;
  beginning text;
  last text;
  millis bigint;
BEGIN
  FOREACH name IN ARRAY tables LOOP
    SELECT a.attname, coalesce(substring(pg_get_expr(c.relpartbound, c.oid) FROM 'FROM \\((''[^'']+'')\\)'), 'MINVALUE')
    INTO id, beginning FROM pg_partitioned_table AS p
      JOIN pg_attribute AS a ON a.attrelid = p.partrelid AND a.attnum = p.partattrs[0], pg_class AS c
    WHERE p.partrelid = name::regclass AND c.oid = (name || '_open')::regclass;
    EXECUTE format('ALTER TABLE %I DETACH PARTITION %I', name, name || '_open');
    IF to_regclass(name || '_kept') IS NULL THEN
      EXECUTE format('CREATE TABLE %I PARTITION OF %I DEFAULT', name || '_default', name);
    ELSE
      EXECUTE format('ALTER TABLE %I DETACH PARTITION %I', name, name || '_kept');
      EXECUTE format('ALTER TABLE %I RENAME TO %I', name || '_kept', name || '_default');
      EXECUTE format('ALTER TABLE %I ATTACH PARTITION %I DEFAULT', name, name || '_default');
    END IF;
    EXECUTE format('SELECT %I FROM %I ORDER BY 1 DESC LIMIT 1', id, name || '_open') INTO last;
    IF last IS NULL THEN
      EXECUTE format('DROP TABLE %I', name || '_open');
    ELSE
      -- The next month after the last row, and after now.
      millis := extract(epoch FROM date_trunc('month', greatest(now(), to_timestamp(
        ('x' || left(replace(last, '-', ''), 12))::bit(48)::bigint / 1000.0)), 'UTC') + interval '1 month') * 1000;
      EXECUTE format('ALTER TABLE %I RENAME TO %I', name || '_open', name || '_before');
      EXECUTE format('ALTER TABLE %I ATTACH PARTITION %I FOR VALUES FROM (%s) TO (%L)', name, name || '_before',
        beginning, (lpad(to_hex(millis), 12, '0') || repeat('0', 20))::uuid);
    END IF;
  END LOOP;
END $$;`,

  "marks of content that is erased while its row stays": /* sql */ `
DROP TRIGGER organizations_retention ON organizations;
DROP FUNCTION begin_retention;
DELETE FROM retention_marks WHERE kind NOT IN ('bodies', 'inbound_raw')
  OR done_to < '00000000-0000-0000-0000-000000000001';
DELETE FROM retention_rechecks WHERE kind NOT IN ('bodies', 'inbound_raw');
ALTER TABLE retention_marks DROP COLUMN next_id;
ALTER TABLE retention_rechecks DROP COLUMN due_at;`
}

/** Upgrades a database of 0.2.0. The processes of 0.2.0 are stopped before. */
export const M0077Upgrade = Object.values(parts).join("\n")
