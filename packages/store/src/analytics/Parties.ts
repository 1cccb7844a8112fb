/** Messages that are looked at for who they were with, the latest of a range: what a read costs has a bound. */
const most = 250_000

/**
 * The part of a statement that has everybody who wrote to the organization in a range of ids, $2 to $3, or was written
 * to, once for each message. All that is read is an index.
 */
export const parties = (direction: string) => /* sql */ `
parties AS (
  SELECT p.id FROM (
    SELECT direction, from_participant_id, to_participant_ids FROM messages
    WHERE organization_id = $1 AND id >= $2::uuid AND id < $3::uuid ORDER BY id DESC LIMIT ${most}
  ) AS m CROSS JOIN LATERAL unnest(
    CASE WHEN m.direction = 'inbound' THEN ARRAY[m.from_participant_id] ELSE m.to_participant_ids END
  ) AS p(id) WHERE ${direction}
)`
