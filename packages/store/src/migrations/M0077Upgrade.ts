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
DROP TABLE earlier_webhook_secrets;`,

  // Earlier deliveries had ids of their own, as those of tests have.
  "ids of webhook deliveries from their event and endpoint": /* sql */ `
DROP TRIGGER webhook_deliveries_body ON webhook_deliveries;
DROP FUNCTION delete_delivery_body;
CREATE TEMP TABLE earlier_deliveries ON COMMIT DROP AS
SELECT organization_id, id, next FROM webhook_deliveries AS d
  CROSS JOIN LATERAL webhook_delivery_id(d.event_id, d.endpoint_id) AS next
WHERE trigger <> 'test' AND id <> next AND NOT EXISTS (
  SELECT FROM webhook_deliveries AS o WHERE o.organization_id = d.organization_id AND o.id = next);
${[
  ["webhook_deliveries", "id"],
  ["webhook_attempts", "delivery_id"],
  ["webhook_bodies", "delivery_id"],
  ["webhook_queue", "id"],
  ["webhook_waiting", "id"]
]
  .map(
    ([table, id]) => `UPDATE ${table} AS t SET ${id} = e.next FROM earlier_deliveries AS e
WHERE t.organization_id = e.organization_id AND t.${id} = e.id;`
  )
  .join("\n")}`,

  // The rows that stayed of dropped partitions are in the default partition, which replaces the open one.
  "monthly partitions": /* sql */ `
-- Expired rows are found by primary key instead of the time of their storage.
DROP INDEX api_key_activity_at, webhook_attempts_at, webhook_deliveries_created;
DO $$
DECLARE
  tables CONSTANT text[] := '{events,api_key_activity,webhook_attempts,webhook_deliveries,webhook_bodies}';
  name text;
  id text;
  beginning text;
  last text;
  millis bigint;
BEGIN
  FOREACH name IN ARRAY tables LOOP
    SELECT a.attname, coalesce(substring(pg_get_expr(c.relpartbound, c.oid) FROM 'FROM \\((''[^'']+'')\\)'), 'MINVALUE')
    INTO id, beginning FROM pg_partitioned_table AS p
      JOIN pg_attribute AS a ON a.attrelid = p.partrelid AND a.attnum = p.partattrs[0], pg_class AS c
    WHERE p.partrelid = name::regclass AND c.oid = (name || '_open')::regclass;
    EXECUTE format('ALTER TABLE %I DETACH PARTITION %I', name, name || '_open');
    IF to_regclass(name || '_kept') IS NULL THEN
      EXECUTE format('CREATE TABLE %I PARTITION OF %I DEFAULT', name || '_default', name);
    ELSE
      EXECUTE format('ALTER TABLE %I DETACH PARTITION %I', name, name || '_kept');
      EXECUTE format('ALTER TABLE %I RENAME TO %I', name || '_kept', name || '_default');
      EXECUTE format('ALTER TABLE %I ATTACH PARTITION %I DEFAULT', name, name || '_default');
    END IF;
    EXECUTE format('SELECT %I FROM %I ORDER BY 1 DESC LIMIT 1', id, name || '_open') INTO last;
    IF last IS NULL THEN
      EXECUTE format('DROP TABLE %I', name || '_open');
    ELSE
      -- The next month after the last row, and after now.
      millis := extract(epoch FROM date_trunc('month', greatest(now(), to_timestamp(
        ('x' || left(replace(last, '-', ''), 12))::bit(48)::bigint / 1000.0)), 'UTC') + interval '1 month') * 1000;
      EXECUTE format('ALTER TABLE %I RENAME TO %I', name || '_open', name || '_before');
      EXECUTE format('ALTER TABLE %I ATTACH PARTITION %I FOR VALUES FROM (%s) TO (%L)', name, name || '_before',
        beginning, (lpad(to_hex(millis), 12, '0') || repeat('0', 20))::uuid);
    END IF;
  END LOOP;
END $$;`,

  "marks of content that is erased while its row stays": /* sql */ `
DROP TRIGGER organizations_retention ON organizations;
DROP FUNCTION begin_retention;
DELETE FROM retention_marks WHERE kind NOT IN ('bodies', 'inbound_raw')
  OR done_to < '00000000-0000-0000-0000-000000000001';
DELETE FROM retention_rechecks WHERE kind NOT IN ('bodies', 'inbound_raw');
ALTER TABLE retention_marks DROP COLUMN next_id;
ALTER TABLE retention_rechecks DROP COLUMN due_at;`
}

/** Upgrades a database of 0.2.0. The processes of 0.2.0 are stopped before. */
export const M0077Upgrade = Object.values(parts).join("\n")
