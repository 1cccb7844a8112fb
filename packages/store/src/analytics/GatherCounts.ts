/** Rows that one statement gathers. */
export const gatherBatch = 2_000

const counts = [
  "accepted",
  "sent",
  "delivered",
  "read",
  "failed",
  "bounced",
  "refused",
  "complained",
  "received",
  "cost",
  "responses",
  "response_ms"
]

/** Adds what was counted last to what was counted before. Waits for nobody: what another worker gathers is passed over. */
export const gatherStatement = /* sql */ `
WITH gone AS (
  DELETE FROM message_count_changes WHERE ctid = ANY (ARRAY(
    SELECT ctid FROM message_count_changes LIMIT ${gatherBatch} FOR UPDATE SKIP LOCKED
  )) RETURNING *
), counted AS (
  INSERT INTO message_counts AS c (organization_id, quarter, channel, ${counts.join(", ")})
  SELECT organization_id, quarter, channel, ${counts.map((name) => `sum(${name})`).join(", ")} FROM gone
  -- In one order everywhere, so that two workers don't wait for each other.
  GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
  ON CONFLICT (organization_id, quarter, channel)
    DO UPDATE SET ${counts.map((name) => `${name} = c.${name} + excluded.${name}`).join(", ")}
), timed AS (
  INSERT INTO message_latencies AS l (organization_id, quarter, ms, messages)
  SELECT organization_id, quarter, rounded_latency(ms), count(*) FROM gone, unnest(latencies) AS ms
  GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
  ON CONFLICT (organization_id, quarter, ms) DO UPDATE SET messages = l.messages + excluded.messages
)
SELECT count(*)::int AS count FROM gone`
