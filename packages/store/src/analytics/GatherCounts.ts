/** Rows of parties that one statement merges. Each has up to all recipients of a batch of sends. */
export const partyBatch = 200

/** Participants whose recipients one statement moves to another place. */
const moveBatch = 50

/** Messages of these participants, all of which the statement reads, while merges wait for it. */
export const movedMessages = 30_000

/** Merges the newest parties of messages. */
export const mergePartiesStatement = `SELECT merge_message_parties(${partyBatch}) AS count`

/** Moves the counts of participants whose place has changed: of one, or of several with at most `maxMessages`. */
export const moveRecipientsStatement = (maxMessages: number) => /* sql */ `
SELECT move_recipients((
  SELECT greatest(1, count(*))::integer FROM (
    SELECT sum(n.messages) OVER (ROWS UNBOUNDED PRECEDING) AS messages
    FROM (SELECT * FROM participant_place_changes LIMIT ${moveBatch}) AS c CROSS JOIN LATERAL (
      SELECT coalesce(sum(messages), 0) AS messages FROM participant_months
      WHERE organization_id = c.organization_id AND participant_id = c.participant_id
    ) AS n
  ) AS first WHERE messages <= ${maxMessages}
)) AS count`
