/** The indexes of the first partition of each partitioned table, and of the table, by the names that the latter get. */
const partitionIndexes = {
  api_key_activity_at: "api_key_activity_partitioned_at_idx",
  api_key_activity_pkey: "api_key_activity_partitioned_pkey",
  events_pkey: "events_partitioned_pkey",
  webhook_attempts_at: "webhook_attempts_partitioned_at_idx",
  webhook_attempts_pkey: "webhook_attempts_partitioned_pkey",
  webhook_bodies_message: "webhook_bodies_partitioned_organization_id_message_id_idx",
  webhook_bodies_pkey: "webhook_bodies_partitioned_pkey",
  webhook_deliveries_created: "webhook_deliveries_partitioned_created_at_idx",
  webhook_deliveries_endpoint: "webhook_deliveries_partitione_organization_id_endpoint_id_i_idx",
  webhook_deliveries_pkey: "webhook_deliveries_partitioned_pkey",
  webhook_deliveries_status: "webhook_deliveries_partitione_organization_id_endpoint_id_s_idx",
  webhook_deliveries_type: "webhook_deliveries_partitione_organization_id_endpoint_id_e_idx"
}

/** What the upgrade from 0.2.0 to 0.3.0 changes, in this order. */
const parts = {
  "what releases before 0.2.0 used": /* sql */ `
DROP FUNCTION sum_older_threads, label_older_conversations, tag_older_messages;
DROP TABLE listed_states, thread_sums_progress, conversation_labels_progress, message_tags_progress,
  retention_postponed;
DROP FUNCTION redirect_postponed;
DROP FUNCTION skip_row, ignore_row CASCADE;
ALTER TABLE events DROP COLUMN xid;`,

  "one form of the queues": /* sql */ `
${["message", "webhook", "inbound", "voice_call", "voice_notice"]
  .map((queue) => `ALTER TABLE ${queue}_waiting DROP COLUMN takeovers;`)
  .join("\n")}
${["message", "webhook", "inbound", "forwarding", "voice_call", "voice_notice"]
  .map((queue) => `ALTER TABLE ${queue}_queue RENAME COLUMN takeovers TO lease_expiries;`)
  .join("\n")}
ALTER TABLE voice_notice_waiting ALTER COLUMN retries_used SET DEFAULT 0;
ALTER INDEX message_queue_lanes RENAME TO message_queue_ready;`,

  "names of the indexes of partitioned tables": Object.entries(partitionIndexes)
    .map(
      ([name, before]) => /* sql */ `
ALTER INDEX IF EXISTS ${name} RENAME TO ${name}_first;
ALTER INDEX ${before} RENAME TO ${name};`
    )
    .join("")
}

/** Upgrades a database of 0.2.0. The processes of 0.2.0 are stopped before. */
export const M0077Upgrade = Object.values(parts).join("\n")
