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
ALTER TABLE voice_notice_waiting ALTER COLUMN retries_used SET DEFAULT 0;
ALTER INDEX message_queue_lanes RENAME TO message_queue_ready;`,

  "names of the indexes of partitioned tables": Object.entries(partitionIndexes)
    .map(
      ([name, before]) => /* sql */ `
ALTER INDEX IF EXISTS ${name} RENAME TO ${name}_first;
ALTER INDEX ${before} RENAME TO ${name};`
    )
    .join(""),

  "one table of secrets": /* sql */ `
CREATE TABLE secrets (
  organization_id uuid NOT NULL,
  owner text NOT NULL,
  purpose text NOT NULL,
  version integer NOT NULL,
  valid_until timestamptz,
  value bytea NOT NULL,
  PRIMARY KEY (organization_id, owner, purpose, version)
);

INSERT INTO secrets (organization_id, owner, purpose, version, valid_until, value)
SELECT organization_id, id || '/sm1', 'dkim-key', 1, NULL::timestamptz, sm1_private_key FROM email_domains
UNION ALL SELECT organization_id, id || '/sm2', 'dkim-key', 1, NULL, sm2_private_key FROM email_domains
UNION ALL SELECT organization_id, id::text, 'webhook-headers', 1, NULL, headers FROM webhook_endpoints
  WHERE headers IS NOT NULL
UNION ALL SELECT organization_id, id::text, 'webhook-headers', 1, NULL, webhook_headers FROM voice_agents
  WHERE webhook_headers IS NOT NULL
UNION ALL SELECT organization_id, id::text, 'webhook-secret', 1, NULL, webhook_secret FROM voice_agents
  WHERE webhook_secret IS NOT NULL
UNION ALL SELECT organization_id, owner, 'webhook-secret',
    row_number() OVER (PARTITION BY organization_id, owner ORDER BY valid_until NULLS LAST), valid_until, value
  FROM (
    SELECT organization_id, id::text, NULL::timestamptz, secret FROM webhook_endpoints
    UNION ALL SELECT organization_id, id::text, previous_secret_until, previous_secret FROM webhook_endpoints
      WHERE previous_secret IS NOT NULL AND previous_secret_until > now()
    UNION ALL SELECT organization_id, endpoint_id::text, signs_until, secret FROM earlier_webhook_secrets
      WHERE signs_until > now()
  ) AS s (organization_id, owner, valid_until, value);

ALTER TABLE email_domains DROP COLUMN sm1_private_key, DROP COLUMN sm2_private_key;
ALTER TABLE voice_agents DROP COLUMN webhook_headers, DROP COLUMN webhook_secret;
ALTER TABLE webhook_endpoints DROP COLUMN headers, DROP COLUMN secret, DROP COLUMN previous_secret,
  DROP COLUMN previous_secret_until;
DROP TABLE earlier_webhook_secrets;`
}

/** Upgrades a database of 0.2.0. The processes of 0.2.0 are stopped before. */
export const M0077Upgrade = Object.values(parts).join("\n")
