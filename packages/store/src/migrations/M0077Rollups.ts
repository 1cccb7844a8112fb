import { Rollups } from "../schema/Rollups.js"

/**
 * Moves the figures of release 0.2.0 to the rollups, while its processes are stopped, and removes what maintained them.
 * The tables are those of the schema of 0.3.0.
 */
export const M0077Rollups = /* sql */ `
${Rollups}
ALTER TABLE event_positions ADD COLUMN folded bigint NOT NULL DEFAULT 0;
CREATE INDEX event_positions_new ON event_positions (organization_id) WHERE folded < last;
ALTER TABLE deleted_messages ADD COLUMN conversation_id uuid, ADD COLUMN from_participant_id uuid,
  ADD COLUMN to_participant_ids uuid[], ADD COLUMN last_status text;

-- The triggers have counted every event: the events without a position are not folded.
INSERT INTO event_positions (organization_id, last) SELECT DISTINCT organization_id, 0::bigint FROM new_event_batches
ON CONFLICT DO NOTHING;
WITH taken AS (
  DELETE FROM new_event_batches RETURNING *
), numbered AS (
  INSERT INTO event_batches (organization_id, position, first_event, events)
  SELECT t.organization_id, p.last + row_number() OVER (PARTITION BY t.organization_id ORDER BY t.number), t.events[1],
    t.events
  FROM taken AS t JOIN event_positions AS p ON p.organization_id = t.organization_id
  RETURNING organization_id, position
)
UPDATE event_positions AS p SET last = n.last
FROM (SELECT organization_id, max(position) AS last FROM numbered GROUP BY organization_id) AS n
WHERE p.organization_id = n.organization_id;
UPDATE event_positions SET folded = last;

-- The trigger adds the deleted rows to the counts; latencies are in two tables until all periods are built.
DELETE FROM message_count_changes;
-- Only e-mails have been sent so far.
WITH histograms AS (
  SELECT organization_id, quarter, array_agg(bucket ORDER BY bucket) AS buckets, array_agg(messages ORDER BY bucket) AS messages
  FROM (
    SELECT organization_id, quarter, bucket, sum(messages)::integer AS messages FROM (
      SELECT h.organization_id, h.starts_at AS quarter, u.bucket, u.messages
      FROM latency_histograms AS h CROSS JOIN LATERAL unnest(h.buckets, h.messages) AS u(bucket, messages)
      WHERE h.span = 'quarter'
      UNION ALL SELECT organization_id, quarter, latency_bucket(ms), messages FROM message_latencies
    ) AS one GROUP BY 1, 2, 3
  ) AS l GROUP BY 1, 2
)
INSERT INTO rollup_messages
SELECT c.organization_id, c.quarter, c.channel, c.accepted, c.sent, c.delivered, c.read, c.failed, c.bounced, c.refused,
  c.complained, c.received, c.cost, c.responses, c.response_ms, coalesce(h.buckets, '{}'), coalesce(h.messages, '{}')
FROM message_counts AS c LEFT JOIN histograms AS h ON h.organization_id = c.organization_id AND h.quarter = c.quarter
  AND c.channel = 'email';

DROP TRIGGER events_counts ON events;
DROP TRIGGER messages_deleted ON messages;
DROP TRIGGER message_states_deleted ON message_states;
DROP TRIGGER organizations_timezone ON organizations;
DROP TABLE message_counts, message_latencies, message_count_changes, message_periods, message_days, latency_histograms,
  period_builds;
DROP FUNCTION count_messages, counted_event, is_counted, rounded_latency, keep_deleted_messages, keep_deleted_states,
  merge_message_counts, build_periods, rebuild_periods, latency_bucket, bucket_latency, latency_within;

DO $$ BEGIN WHILE build_sender_days() > 0 LOOP END LOOP; END $$;
INSERT INTO rollup_senders SELECT organization_id, sender_id, day, sum(sent), sum(bounced), sum(complained)
FROM (SELECT * FROM sender_days UNION ALL SELECT * FROM sender_changes) AS s GROUP BY 1, 2, 3;
DROP TRIGGER message_states_outcomes ON message_states;
DROP TABLE sender_days, sender_changes, sender_builds;
DROP FUNCTION count_outcomes, build_sender_days;

INSERT INTO rollup_totals SELECT organization_id, kind, sum(messages)
FROM (SELECT * FROM message_totals UNION ALL SELECT * FROM message_total_changes) AS t GROUP BY 1, 2;
DROP TRIGGER message_states_inserted_totals ON message_states;
DROP TRIGGER message_states_updated_totals ON message_states;
DROP TRIGGER message_states_deleted_totals ON message_states;
DROP TRIGGER messages_inserted_totals ON messages;
DROP TRIGGER messages_deleted_totals ON messages;
DROP TABLE message_totals, message_total_changes;
DROP FUNCTION count_inserted_states, count_updated_states, count_deleted_states, count_channel;

-- Recipients count at the place that the last merge has found.
DO $$ BEGIN
  WHILE build_parties() > 0 LOOP END LOOP;
  WHILE merge_message_parties(1000) > 0 LOOP END LOOP;
END $$;
INSERT INTO rollup_participants (organization_id, month, participant_id, messages, days, day_messages)
SELECT organization_id, month, participant_id, messages, days, counts FROM participant_months;
INSERT INTO rollup_places SELECT organization_id, span, starts_at, country, region, recipients FROM place_periods
WHERE span IN ('quarter', 'day');
DROP TRIGGER messages_parties_added ON messages;
DROP TRIGGER messages_parties_removed ON messages;
DROP TRIGGER messages_parties_changed ON messages;
DROP TRIGGER participants_place_added ON participants;
DROP TRIGGER participants_place_changed ON participants;
DROP TRIGGER participants_place_removed ON participants;
DROP TRIGGER participant_addresses_added ON participant_addresses;
DROP TRIGGER participant_addresses_changed ON participant_addresses;
DROP TRIGGER participant_addresses_removed ON participant_addresses;
DROP TABLE message_party_changes, participant_months, place_periods, participant_places, participant_place_changes,
  party_builds;
DROP FUNCTION parties_of, note_parties, note_changed_parties, place_of, note_place, note_phone, merge_message_parties,
  move_recipients, build_parties;
ALTER TABLE participant_addresses DROP COLUMN country;

ALTER TABLE organization_usage ADD COLUMN participants bigint NOT NULL DEFAULT 0,
  ADD COLUMN conversations bigint NOT NULL DEFAULT 0;
UPDATE organization_usage AS u SET participants = c.participants, conversations = c.conversations
FROM (
  SELECT organization_id, sum(participants) AS participants, sum(conversations) AS conversations
  FROM (SELECT * FROM organization_counts UNION ALL SELECT * FROM organization_count_changes) AS n GROUP BY 1
) AS c WHERE c.organization_id = u.organization_id;
DROP TRIGGER participants_count_insert ON participants;
DROP TRIGGER participants_count_delete ON participants;
DROP TRIGGER conversations_count_insert ON conversations;
DROP TRIGGER conversations_count_delete ON conversations;
DROP TABLE organization_counts, organization_count_changes;
DROP FUNCTION count_insert_participants, count_delete_participants, count_insert_conversations,
  count_delete_conversations;

DROP TRIGGER messages_conversation_added ON messages;
DROP TRIGGER messages_conversation_removed ON messages;
DROP TRIGGER messages_conversation_changed ON messages;
DROP TABLE conversation_gaps, conversation_changes, conversation_quarters, conversation_days, conversation_builds;
DROP FUNCTION note_conversation, merge_conversations, build_conversations;

DROP TRIGGER api_key_usage_totals ON api_key_usage;
DROP FUNCTION add_to_key_totals;
`
