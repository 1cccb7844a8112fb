/** The tables that lists, their totals and analytics read in an index only. */
const tables = [
  "messages",
  "message_states",
  "message_participants",
  "message_tags",
  "thread_sums",
  "thread_participants",
  "conversations",
  "conversation_participants",
  "conversation_labels",
  "participants",
  "participant_months",
  "place_periods",
  "email_blocks",
  "email_category_blocks",
  "email_block_logs",
  "forwardings"
]

/**
 * An index-only scan reads the rows that VACUUM has not seen yet. Its default is a fifth of the table: two million new
 * rows of ten, and a list begins with the newest. Without dead rows VACUUM reads new pages, but no B-tree index.
 */
export const M0069VacuumOfLists = `${tables
  .map((table) => `ALTER TABLE ${table} SET (autovacuum_vacuum_insert_scale_factor = 0.02)`)
  .join(";\n")};
ALTER TABLE messages SET (autovacuum_vacuum_scale_factor = 0.05)`
