import { days, type Shape } from "./GeneratedOrganizations.js"

/** Messages whose events get one position. */
const batchSpan = 20

/** The counts of all pages. */
export const countsTable = /* sql */ `
CREATE TEMP TABLE generated_counts (organization_id uuid, quarter timestamptz, accepted bigint, sent bigint,
  delivered bigint, read bigint, failed bigint, bounced bigint, received bigint, responses bigint, response_ms bigint,
  latencies bigint[])`

/** The exponent of the unit that a latency is rounded to. */
const exponent = "greatest(floor(log(2, greatest(ms, 1))) - 5, 0)"

/** The figures as a worker folds them: latencies have six binary digits. */
export const rollupStatements = /* sql */ `
INSERT INTO rollup_messages (organization_id, quarter, channel, accepted, sent, delivered, read, failed, bounced, refused,
  complained, received, cost, responses, response_ms, latency_buckets, latency_messages)
SELECT organization_id, quarter, 'email', accepted, sent, delivered, read, failed, bounced, bounced, 0, received, 0,
  responses, response_ms, coalesce(h.buckets, '{}'), coalesce(h.messages, '{}')
FROM (
  SELECT organization_id, quarter, sum(accepted) AS accepted, sum(sent) AS sent, sum(delivered) AS delivered,
    sum(read) AS read, sum(failed) AS failed, sum(bounced) AS bounced, sum(received) AS received,
    sum(responses) AS responses, sum(response_ms) AS response_ms
  FROM generated_counts GROUP BY 1, 2
) AS c LEFT JOIN (
  SELECT organization_id, quarter, array_agg(bucket ORDER BY bucket) AS buckets, array_agg(messages ORDER BY bucket) AS messages
  FROM (
    SELECT organization_id, quarter, (32 * ${exponent} + round(ms / 2 ^ ${exponent}))::smallint AS bucket, count(*)::integer AS messages
    FROM generated_counts CROSS JOIN LATERAL unnest(latencies) AS ms GROUP BY 1, 2, 3
  ) AS one GROUP BY 1, 2
) AS h USING (organization_id, quarter);
DROP TABLE generated_counts;
INSERT INTO rollup_senders
SELECT organization_id, from_participant_id, (created_at AT TIME ZONE 'UTC')::date, count(*),
  count(*) FILTER (WHERE status = 'bounced'), count(*) FILTER (WHERE status = 'complained')
FROM messages AS m JOIN message_states AS s USING (organization_id) WHERE s.message_id = m.id AND direction = 'outbound'
  AND status IN ('sent', 'delivered', 'read', 'bounced', 'complained') AND organization_id IN (SELECT id FROM generated_organizations)
GROUP BY 1, 2, 3;
INSERT INTO rollup_totals
SELECT organization_id, listed_status, count(*) FROM message_states
WHERE listed_status <> 'open' AND organization_id IN (SELECT id FROM generated_organizations) GROUP BY 1, 2;
INSERT INTO rollup_participants (organization_id, month, participant_id, messages, days, day_messages)
SELECT organization_id, date_trunc('month', day)::date, participant_id, sum(messages), array_agg(extract(day FROM day) ORDER BY day),
  array_agg(messages ORDER BY day)
FROM (
  SELECT m.organization_id, p.participant_id, (created_at AT TIME ZONE 'UTC')::date AS day, count(*)::integer AS messages
  FROM messages AS m CROSS JOIN LATERAL unnest(
    CASE direction WHEN 'inbound' THEN ARRAY[from_participant_id] ELSE to_participant_ids END) AS p(participant_id)
  WHERE organization_id IN (SELECT id FROM generated_organizations) GROUP BY 1, 2, 3
) AS d GROUP BY 1, 2, 3;
INSERT INTO rollup_places (organization_id, span, starts_at, country, region, recipients)
SELECT organization_id, span, CASE span WHEN 'day' THEN date_trunc('day', created_at, 'UTC') ELSE quarter_of(created_at) END, '', '',
  sum(cardinality(to_participant_ids))
FROM messages CROSS JOIN (VALUES ('quarter'), ('day')) AS s(span)
WHERE direction = 'outbound' AND organization_id IN (SELECT id FROM generated_organizations) GROUP BY 1, 2, 3;
UPDATE organization_usage AS u SET conversations = c.conversations
FROM (SELECT organization_id, count(*) AS conversations FROM conversations GROUP BY 1) AS c
WHERE c.organization_id = u.organization_id AND u.organization_id IN (SELECT id FROM generated_organizations)`

/** Each event with the name of its count. */
const events = /* sql */ `
CREATE TEMP TABLE generated_events ON COMMIT DROP AS
SELECT g.n, g.organization_id, pg_temp.id_of(e.hex, e.kind, g.tail) AS id, e.name, g.id AS subject_id, e.at, e.iso,
  g.at AS accepted_at
FROM (SELECT *, status NOT IN ('pending', 'scheduled') AND NOT is_inbound AS tried,
  status IN ('sent', 'delivered', 'read') AND NOT is_inbound AS sent, status IN ('delivered', 'read') AND NOT is_inbound AS delivered,
  status = 'read' AS is_read, status = 'scheduled' AS scheduled, status IN ('failed', 'bounced') AS failed
  FROM generated_messages) AS g
CROSS JOIN LATERAL (VALUES
  ('010', CASE WHEN is_inbound THEN 'received' ELSE 'created' END, at, at_hex, at_iso, true),
  ('011', 'scheduled', at, at_hex, at_iso, scheduled),
  ('012', 'processing', tried_at, tried_hex, tried_iso, tried),
  ('013', 'sent', done_at, done_hex, done_iso, sent),
  ('014', 'delivered', done_at, done_hex, done_iso, delivered),
  ('015', 'read', read_at, read_hex, read_iso, is_read),
  ('016', status, done_at, done_hex, done_iso, failed)
) AS e(kind, name, at, hex, iso, occurred) WHERE occurred;

INSERT INTO events (organization_id, id, type, subject_id, data, created_at)
SELECT organization_id, id, 'message.' || name, subject_id, ('{' || CASE name WHEN 'created' THEN '' WHEN 'received' THEN
  '"status":"delivered",' ELSE '"status":"' || name || '",' END || '"timestamp":"' || iso || '"}')::json, at
FROM generated_events;

WITH batches AS (
  INSERT INTO event_batches (organization_id, position, first_event, events)
  SELECT organization_id, p.last + row_number() OVER (PARTITION BY organization_id ORDER BY b.events[1]), b.events[1], b.events
  FROM (SELECT organization_id, array_agg(id ORDER BY id) AS events FROM generated_events
    GROUP BY organization_id, n / ${batchSpan}) AS b JOIN event_positions AS p USING (organization_id)
  RETURNING organization_id, position
)
UPDATE event_positions AS p SET last = b.last, folded = b.last
FROM (SELECT organization_id, max(position) AS last FROM batches GROUP BY 1) AS b
WHERE p.organization_id = b.organization_id;

-- A response is an outbound message after inbound ones of its conversation.
WITH turns AS (
  SELECT *, count(*) FILTER (WHERE NOT is_inbound)
    OVER (PARTITION BY conversation_id ORDER BY n ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS turn
  FROM generated_messages WHERE conversation_id IS NOT NULL
), responses AS (
  SELECT o.n, count(*) AS responses, sum(floor(extract(epoch FROM o.at - i.at) * 1000))::bigint AS response_ms
  FROM turns AS o JOIN turns AS i ON i.conversation_id = o.conversation_id AND coalesce(i.turn, 0) = coalesce(o.turn, 0)
  WHERE NOT o.is_inbound AND i.is_inbound GROUP BY o.n
)
INSERT INTO generated_counts
SELECT organization_id, quarter_of(at), count(*) FILTER (WHERE name = 'created'), count(*) FILTER (WHERE name = 'sent'),
  count(*) FILTER (WHERE name = 'delivered'), count(*) FILTER (WHERE name = 'read'),
  count(*) FILTER (WHERE name = 'failed'), count(*) FILTER (WHERE name = 'bounced'),
  count(*) FILTER (WHERE name = 'received'),
  coalesce(sum(responses) FILTER (WHERE name = 'created'), 0), coalesce(sum(response_ms) FILTER (WHERE name = 'created'), 0),
  array_agg(floor(extract(epoch FROM at - accepted_at) * 1000)::bigint) FILTER (WHERE name = 'sent')
FROM generated_events LEFT JOIN responses USING (n) GROUP BY 1, 2;
DROP TABLE generated_events;`

/** Deliveries of a quarter of the events. Newer ones keep their body. */
const webhooks = /* sql */ `
CREATE TEMP TABLE generated_deliveries ON COMMIT DROP AS
SELECT n, organization_id, webhook_delivery_id(event_id, endpoint_id) AS id, endpoint_id, event_id, g.id AS message_id,
  CASE WHEN n % 97 = 0 THEN 'failed' ELSE 'succeeded' END AS status, 1 + n % 200 AS duration_ms, done_at + interval '20 ms' AS at
FROM generated_messages AS g CROSS JOIN LATERAL (SELECT pg_temp.id_of(done_hex, '014', tail) AS event_id) AS e
WHERE n % 4 = 0 AND NOT is_inbound AND g.status IN ('delivered', 'read');

INSERT INTO webhook_deliveries (organization_id, id, endpoint_id, event_id, event_type, status, attempts, created_at)
SELECT organization_id, id, endpoint_id, event_id, 'message.delivered', status, 1, at FROM generated_deliveries;
INSERT INTO webhook_attempts (organization_id, delivery_id, attempt, trigger, at, request_headers, response_status,
  response_headers, response_body, duration_ms)
SELECT organization_id, id, 1, 'scheduled', at, json_build_object('content-type', 'application/json', 'webhook-id', event_id),
  CASE status WHEN 'failed' THEN 410 ELSE 200 END, '{"content-type":"text/plain"}',
  CASE status WHEN 'failed' THEN 'gone' ELSE 'ok' END, duration_ms FROM generated_deliveries;
INSERT INTO webhook_bodies (organization_id, delivery_id, message_id, body)
SELECT organization_id, id, message_id, '{"id":"' || event_id || '","type":"message.delivered","data":{"id":"' || message_id
  || '","text":"' || repeat('body ' || n || ' ', 100) || '"}}' FROM generated_deliveries WHERE n % 100 = 0;
UPDATE webhook_endpoint_health AS h SET delivered = h.delivered + g.delivered, failed = h.failed + g.failed,
  attempts_succeeded = attempts_succeeded + g.delivered, attempts_failed = attempts_failed + g.failed, latency_ms_sum = latency_ms_sum + latency_ms,
  last_success_at = greatest(last_success_at, success_at), last_failure_at = greatest(last_failure_at, failure_at)
FROM (SELECT endpoint_id, count(*) FILTER (WHERE status = 'succeeded') AS delivered,
    count(*) FILTER (WHERE status = 'failed') AS failed,
    coalesce(sum(duration_ms) FILTER (WHERE status = 'succeeded'), 0) AS latency_ms,
    max(at) FILTER (WHERE status = 'succeeded') AS success_at, max(at) FILTER (WHERE status = 'failed') AS failure_at
  FROM generated_deliveries GROUP BY 1) AS g
WHERE h.endpoint_id = g.endpoint_id;
DROP TABLE generated_deliveries;`

/** A request of each message's key, within the last 30 days. */
const activity = ({ until }: Shape) => {
  const end = `'${until.toISOString()}'::timestamptz`
  return /* sql */ `
CREATE TEMP TABLE generated_requests ON COMMIT DROP AS
SELECT n, organization_id, key_id, tail, 'POST' AS method, '/v1/messages' AS route, CASE WHEN n % 50 = 0 THEN 422 ELSE 201 END AS status,
  date_trunc('milliseconds', ${end} - (${end} - at) * ${30 / days}) AS at FROM generated_messages;
INSERT INTO api_key_activity (organization_id, api_key_id, id, method, path, route, status, latency_ms, ip_address, at)
SELECT organization_id, key_id, pg_temp.id_of(pg_temp.hex(at), '021', tail), method, route, route, status, 5 + n % 40, '192.0.2.10', at
FROM generated_requests;
INSERT INTO api_key_usage AS u (organization_id, api_key_id, hour, method, route, status, requests)
SELECT organization_id, key_id, date_trunc('hour', at, 'UTC'), method, route, status, count(*)
FROM generated_requests GROUP BY 1, 2, 3, 4, 5, 6
ON CONFLICT (organization_id, api_key_id, hour, method, route, status) DO UPDATE SET requests = u.requests + excluded.requests;
INSERT INTO api_key_totals AS t (organization_id, api_key_id, method, route, status, requests)
SELECT organization_id, key_id, method, route, status, count(*) FROM generated_requests GROUP BY 1, 2, 3, 4, 5
ON CONFLICT (organization_id, api_key_id, method, route, status) DO UPDATE SET requests = t.requests + excluded.requests;
DROP TABLE generated_requests;`
}

/** Statements that insert what follows from the generated messages. */
export const eventStatements = (shape: Shape) =>
  [
    shape.without.includes("events") ? "" : events,
    shape.without.includes("webhooks") ? "" : webhooks,
    shape.without.includes("activity") ? "" : activity(shape)
  ].join("")
