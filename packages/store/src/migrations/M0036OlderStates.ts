/**
 * The column of M0035 for older states, a few at a time. Locks states in the order of all transactions, by organization
 * and message. The triggers of M0035 count the messages.
 */
export const M0036OlderStates = /* sql */ `
WITH batch AS MATERIALIZED (
  SELECT s.organization_id, s.message_id FROM listed_states AS l CROSS JOIN LATERAL (
    SELECT organization_id, message_id FROM message_states
    WHERE (organization_id, message_id) > (l.organization_id, l.message_id)
    ORDER BY organization_id, message_id LIMIT 2000 FOR NO KEY UPDATE
  ) AS s
), listed AS (
  UPDATE message_states AS s SET listed_status = s.status FROM batch AS b
  WHERE s.organization_id = b.organization_id AND s.message_id = b.message_id
    AND s.listed_status <> listed_status(s.status)
), last AS (
  SELECT organization_id, message_id FROM batch ORDER BY organization_id DESC, message_id DESC LIMIT 1
)
UPDATE listed_states SET organization_id = last.organization_id, message_id = last.message_id FROM last RETURNING 1`
