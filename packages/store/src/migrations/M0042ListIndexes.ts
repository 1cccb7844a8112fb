import type { NewIndex } from "./ApplyMigrations.js"

/** Labels the conversations before `M0041ConversationLabels`, a few at a time. */
export const M0042OlderLabels = "SELECT number FROM label_older_conversations(500) AS number WHERE number > 0"

/** The columns that a search reads. The organization is a key too: a search reads no entries of others. */
const searchIndex = (table: string, columns: ReadonlyArray<string>): NewIndex => ({
  name: `${table}_search`,
  on: `${table} USING gin (organization_id, ${columns.map((column) => `${column} gin_trgm_ops`).join(", ")})`,
  extensions: ["btree_gin", "pg_trgm"]
})

/** An index for each filter of lists, in the order of the list. */
export const M0042ListIndexes: ReadonlyArray<NewIndex> = [
  { name: "participants_type", on: "participants (organization_id, type, id)" },
  { name: "conversations_status", on: "conversations (organization_id, status, id)" },
  { name: "conversations_priority", on: "conversations (organization_id, priority, id)" },
  // The conversations of a participant.
  {
    name: "conversation_participants_conversations",
    on: "conversation_participants (organization_id, participant_id, conversation_id)"
  },
  { name: "email_blocks_reason", on: "email_blocks (organization_id, reason, id)" },
  { name: "email_category_blocks_reason", on: "email_category_blocks (organization_id, reason, id)" },
  { name: "webhook_deliveries_type", on: "webhook_deliveries (organization_id, endpoint_id, event_type, id)" },
  // The log of forwardings.
  { name: "forwardings_settled", on: "forwardings (organization_id, id) WHERE status <> 'waiting'" },
  searchIndex("threads", ["subject"]),
  searchIndex("conversations", ["title", "description"]),
  searchIndex("participants", ["name", "display_name"]),
  searchIndex("participant_addresses", ["address"]),
  searchIndex("email_blocks", ["value"]),
  searchIndex("email_category_blocks", ["value"])
]
