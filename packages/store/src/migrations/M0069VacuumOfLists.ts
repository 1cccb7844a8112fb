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
 * An index-only scan reads the rows of pages that VACUUM has not marked. By default VACUUM comes after a fifth of new
 * rows: two million of ten, the newest, which a list begins with. Without dead rows it reads the new pages and the
 * search indexes, but no B-tree index.
 */
export const M0069VacuumOfLists = `${tables
  .map((table) => `ALTER TABLE ${table} SET (autovacuum_vacuum_insert_scale_factor = 0.02)`)
  .join(";\n")};
ALTER TABLE messages SET (autovacuum_vacuum_scale_factor = 0.05)`
