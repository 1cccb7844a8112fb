/**
 * Counts of messages by quarter hour, channel and status.
 *
 * Each event of a message is counted once, in the quarter hour of its time. For outbound messages: `accepted` on
 * acceptance, and `sent`, `delivered`, `read`, `failed`, `bounced` and `complained` when the message gets that status
 * (each at most once). For inbound messages: `received`. So a message sent at 10:59 and delivered at 11:00 counts in
 * both hours, and a message that was read counts as sent, as delivered and as read. `refused` are the bounced messages
 * that were never sent. `cost` is the cost of accepted messages. `responses` counts inbound messages with a reply: the
 * next outbound message of the conversation, in whose quarter hour it counts; `response_ms` is the sum of their response
 * times in milliseconds. Tests are counted too. Deleting a message does not change the counts.
 *
 * Quarter hours, because time zones differ by multiples of them: the hours and days of every time zone consist of
 * complete ones.
 */
export const M0010MessageCounts = /* sql */ `
CREATE TABLE message_counts (
  organization_id uuid NOT NULL,
  -- The beginning of a quarter of an hour.
  quarter timestamptz NOT NULL,
  channel text NOT NULL,
  accepted bigint NOT NULL,
  sent bigint NOT NULL,
  delivered bigint NOT NULL,
  read bigint NOT NULL,
  failed bigint NOT NULL,
  bounced bigint NOT NULL,
  refused bigint NOT NULL,
  complained bigint NOT NULL,
  received bigint NOT NULL,
  cost numeric NOT NULL,
  responses bigint NOT NULL,
  response_ms bigint NOT NULL,
  PRIMARY KEY (organization_id, quarter, channel)
) WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.05);

-- Latencies from acceptance to the status sent, rounded, with the number of messages.
CREATE TABLE message_latencies (
  organization_id uuid NOT NULL,
  quarter timestamptz NOT NULL,
  ms bigint NOT NULL,
  messages bigint NOT NULL,
  PRIMARY KEY (organization_id, quarter, ms)
) WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.05);

-- The newest counts. Every statement inserts its own rows, so that no transaction waits for another. A job merges them
-- into the two tables above every few seconds. Narrow, with a high turnover: vacuumed early.
CREATE TABLE message_count_changes (
  organization_id uuid NOT NULL,
  quarter timestamptz NOT NULL,
  channel text NOT NULL,
  accepted integer NOT NULL,
  sent integer NOT NULL,
  delivered integer NOT NULL,
  read integer NOT NULL,
  failed integer NOT NULL,
  bounced integer NOT NULL,
  refused integer NOT NULL,
  complained integer NOT NULL,
  received integer NOT NULL,
  cost numeric NOT NULL,
  responses integer NOT NULL,
  response_ms bigint NOT NULL,
  -- One latency per sent message.
  latencies bigint[]
) WITH (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 500, autovacuum_analyze_scale_factor = 0.02);
-- Reads of an organization's counts include the rows that are not merged yet.
CREATE INDEX message_count_changes_organization ON message_count_changes (organization_id, quarter);

-- The data of deleted messages that later events are counted by.
CREATE TABLE deleted_messages (
  organization_id uuid NOT NULL,
  id uuid NOT NULL,
  channel text,
  direction text,
  cost text,
  created_at timestamptz,
  was_sent boolean,
  PRIMARY KEY (organization_id, id)
);

-- One statement deletes a message and its state, in any order: the first trigger inserts the row.
CREATE FUNCTION keep_deleted_messages() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO deleted_messages AS d (organization_id, id, channel, direction, cost, created_at)
  SELECT organization_id, id, channel, direction, cost, created_at FROM old_messages ORDER BY organization_id, id
  ON CONFLICT (organization_id, id) DO UPDATE SET channel = excluded.channel, direction = excluded.direction,
    cost = excluded.cost, created_at = excluded.created_at;
  RETURN NULL;
END $$;
CREATE FUNCTION keep_deleted_states() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO deleted_messages AS d (organization_id, id, was_sent)
  SELECT organization_id, message_id, sent_at IS NOT NULL FROM old_states ORDER BY organization_id, message_id
  ON CONFLICT (organization_id, id) DO UPDATE SET was_sent = excluded.was_sent;
  RETURN NULL;
END $$;

CREATE TRIGGER messages_deleted AFTER DELETE ON messages REFERENCING OLD TABLE AS old_messages
  FOR EACH STATEMENT EXECUTE FUNCTION keep_deleted_messages();
CREATE TRIGGER message_states_deleted AFTER DELETE ON message_states REFERENCING OLD TABLE AS old_states
  FOR EACH STATEMENT EXECUTE FUNCTION keep_deleted_states();

-- Participants and conversations of a range of messages, without reading contents. A count by participant would have
-- about as many rows as there are messages.
CREATE INDEX messages_parties ON messages (organization_id, id)
  INCLUDE (direction, conversation_id, from_participant_id, to_participant_ids);

CREATE FUNCTION quarter_of(at timestamptz) RETURNS timestamptz LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT date_bin('15 minutes', at, '2000-01-01 00:00:00+00')
$$;

-- A latency rounded to six binary digits: exact up to 64 ms, then within 1.6 %.
CREATE FUNCTION rounded_latency(ms bigint) RETURNS bigint LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE WHEN ms < 64 THEN greatest(ms, 0)
    ELSE (round(ms / 2 ^ (floor(ln(ms::float8) / ln(2::float8)) - 5)) * 2 ^ (floor(ln(ms::float8) / ln(2::float8)) - 5))::bigint
  END
$$;

-- Whether an event is counted.
CREATE FUNCTION is_counted(event_type text) RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT event_type IN ('message.created', 'message.sent', 'message.delivered', 'message.read', 'message.failed',
    'message.bounced', 'message.complained', 'message.received')
$$;

-- The counts of an event; no row if it is not counted. The one definition for new events, for the parts of ranges that
-- are counted on reading, and for events before this migration.
CREATE FUNCTION counted_event(organization uuid, event_type text, subject uuid, at timestamptz)
RETURNS TABLE (channel text, accepted integer, sent integer, delivered integer, read integer, failed integer,
  bounced integer, refused integer, complained integer, received integer, cost numeric, responses bigint,
  response_ms bigint, latency bigint)
LANGUAGE sql STABLE AS $$
  SELECT m.channel, (event_type = 'message.created')::int, (event_type = 'message.sent')::int,
    (event_type = 'message.delivered')::int, (event_type = 'message.read')::int, (event_type = 'message.failed')::int,
    (event_type = 'message.bounced')::int,
    CASE WHEN event_type = 'message.bounced' AND NOT coalesce(m.was_sent, (
      SELECT s.sent_at IS NOT NULL FROM message_states AS s
      WHERE s.organization_id = organization AND s.message_id = subject
    )) THEN 1 ELSE 0 END,
    (event_type = 'message.complained')::int, (event_type = 'message.received')::int,
    CASE WHEN event_type = 'message.created' THEN m.cost::numeric ELSE 0 END,
    answered.responses, answered.response_ms,
    CASE WHEN event_type = 'message.sent' THEN floor(extract(epoch FROM at - m.created_at) * 1000)::bigint END
  FROM (
    SELECT channel, direction, cost, created_at, conversation_id, NULL::boolean AS was_sent FROM (
      SELECT * FROM messages WHERE organization_id = organization AND id = subject OFFSET 0
    ) AS kept
    UNION ALL
    SELECT channel, direction, cost, created_at, NULL, was_sent FROM deleted_messages
    WHERE organization_id = organization AND id = subject
  ) AS m
  CROSS JOIN LATERAL (
    SELECT count(*) AS responses,
      coalesce(sum(floor(extract(epoch FROM m.created_at - i.created_at) * 1000)), 0)::bigint AS response_ms
    FROM messages AS i
    WHERE event_type = 'message.created' AND i.organization_id = organization
      AND i.conversation_id = m.conversation_id AND i.direction = 'inbound' AND i.id < subject
      AND i.id > coalesce((
        SELECT o.id FROM messages AS o WHERE o.organization_id = organization
          AND o.conversation_id = m.conversation_id AND o.direction = 'outbound' AND o.id < subject
        ORDER BY o.id DESC LIMIT 1
      ), '00000000-0000-0000-0000-000000000000')
  ) AS answered
  WHERE is_counted(event_type)
    AND m.direction = CASE WHEN event_type = 'message.received' THEN 'inbound' ELSE 'outbound' END
$$;

-- The trigger blocks writes until this migration has counted the existing events: none is missed or counted twice.
CREATE FUNCTION count_messages() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO message_count_changes (organization_id, quarter, channel, accepted, sent, delivered, read, failed, bounced,
    refused, complained, received, cost, responses, response_ms, latencies)
  SELECT e.organization_id, quarter_of(e.created_at), c.channel, sum(c.accepted), sum(c.sent), sum(c.delivered),
    sum(c.read), sum(c.failed), sum(c.bounced), sum(c.refused), sum(c.complained), sum(c.received), sum(c.cost),
    sum(c.responses), sum(c.response_ms), array_agg(c.latency) FILTER (WHERE c.latency IS NOT NULL)
  FROM new_events AS e
    CROSS JOIN LATERAL counted_event(e.organization_id, e.type, e.subject_id, e.created_at) AS c
  WHERE is_counted(e.type)
  GROUP BY 1, 2, 3;
  RETURN NULL;
END $$;

CREATE TRIGGER events_counts AFTER INSERT ON events REFERENCING NEW TABLE AS new_events
  FOR EACH STATEMENT EXECUTE FUNCTION count_messages();

-- The messages deleted before this migration: none was inbound, and their cost is unknown.
INSERT INTO deleted_messages (organization_id, id, channel, direction, cost, created_at, was_sent)
SELECT d.organization_id, d.subject_id, min(d.data ->> 'channel'), 'outbound', '0', min(e.created_at),
  bool_or(e.type = 'message.sent')
FROM events AS d JOIN events AS e ON e.organization_id = d.organization_id AND e.subject_id = d.subject_id
WHERE d.type = 'message.deleted' GROUP BY 1, 2;

-- The events before this migration.
WITH one AS MATERIALIZED (
  SELECT e.organization_id, quarter_of(e.created_at) AS quarter, c.*
  FROM events AS e
    CROSS JOIN LATERAL counted_event(e.organization_id, e.type, e.subject_id, e.created_at) AS c
  WHERE is_counted(e.type)
), counted AS (
  INSERT INTO message_counts (organization_id, quarter, channel, accepted, sent, delivered, read, failed, bounced,
    refused, complained, received, cost, responses, response_ms)
  SELECT organization_id, quarter, channel, sum(accepted), sum(sent), sum(delivered), sum(read), sum(failed),
    sum(bounced), sum(refused), sum(complained), sum(received), sum(cost), sum(responses), sum(response_ms)
  FROM one GROUP BY 1, 2, 3
)
INSERT INTO message_latencies (organization_id, quarter, ms, messages)
SELECT organization_id, quarter, rounded_latency(latency), count(*) FROM one WHERE latency IS NOT NULL GROUP BY 1, 2, 3;
`
