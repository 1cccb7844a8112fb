import { lockTables, partitionById, skipDeletionsByCtid } from "./PartitionTable.js"

/**
 * Partitions webhook deliveries and their bodies by the time in the delivery's id. An event is delivered to an endpoint
 * once, because the id of the delivery is made of both their ids. The rows from before have other ids: they stay in the
 * first partition, with the former unique key of endpoint and event.
 */
export const M0058WebhookPartitions = /* sql */ `
DO $$ BEGIN${lockTables("webhook_deliveries", "webhook_bodies", "messages")}
END $$;

-- Triggers delete the bodies instead: a partition that a foreign key refers to can't be dropped without reading the
-- table with the key, and each change of a partition would lock the messages.
ALTER TABLE webhook_bodies DROP CONSTRAINT webhook_bodies_organization_id_delivery_id_fkey,
  DROP CONSTRAINT webhook_bodies_organization_id_message_id_fkey;

CREATE FUNCTION delete_delivery_body() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM webhook_bodies WHERE organization_id = OLD.organization_id AND delivery_id = OLD.id;
  RETURN NULL;
END $$;
CREATE TRIGGER webhook_deliveries_body AFTER DELETE ON webhook_deliveries
  FOR EACH ROW EXECUTE FUNCTION delete_delivery_body();

CREATE FUNCTION delete_message_bodies() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM webhook_bodies WHERE organization_id = OLD.organization_id AND message_id = OLD.id;
  RETURN NULL;
END $$;
CREATE TRIGGER messages_webhook_bodies AFTER DELETE ON messages
  FOR EACH ROW EXECUTE FUNCTION delete_message_bodies();

CREATE TABLE webhook_deliveries_form (LIKE webhook_deliveries INCLUDING ALL);
DO $$ BEGIN
  EXECUTE (SELECT format('DROP INDEX %s', indexrelid::regclass) FROM pg_index
    WHERE indrelid = 'webhook_deliveries_form'::regclass AND indisunique AND NOT indisprimary);
END $$;
${partitionById("webhook_deliveries", "id", "webhook_deliveries_form")}
DROP TABLE webhook_deliveries_form;
${skipDeletionsByCtid("webhook_deliveries")}
${partitionById("webhook_bodies", "delivery_id")}

-- The id of the delivery of an event to an endpoint. The first 11 octets are those of the event's id: the time and the
-- order within it. In the others, which are random, each endpoint changes other bits, so that two events of an endpoint
-- never get the same id, and two endpoints only if the last 40 random bits of their ids are equal.
CREATE FUNCTION webhook_delivery_id(event uuid, endpoint uuid) RETURNS uuid LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT (left(event::text, 26) || lpad(to_hex((('x' || right(event::text, 10))::bit(40)
    # ('x' || right(endpoint::text, 10))::bit(40))::bigint), 10, '0'))::uuid
$$;

-- As before, but with these ids.
CREATE OR REPLACE FUNCTION queue_webhooks() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  -- The lock makes this transaction and one that resumes a paused endpoint wait for each other, because resuming queues
  -- the pending deliveries that it finds. A worker drops entries of endpoints that are no longer active.
  PERFORM FROM webhook_endpoints AS w WHERE w.organization_id IN (SELECT organization_id FROM new_events)
    AND w.status = 'paused' ORDER BY w.id FOR KEY SHARE;
  WITH wanted AS (
    INSERT INTO webhook_deliveries (organization_id, id, endpoint_id, event_id, event_type, status, next_attempt_at,
      created_at)
    SELECT w.organization_id, webhook_delivery_id(e.id, w.id), w.id, e.id, e.type, 'pending',
      CASE WHEN w.status = 'active' THEN now() END, now()
    FROM new_events AS e JOIN webhook_endpoints AS w ON w.organization_id = e.organization_id
    WHERE w.status <> 'disabled' AND webhook_wants(w, e.type, e.subject_id, e.data)
    RETURNING organization_id, id, endpoint_id, next_attempt_at
  )
  INSERT INTO webhook_queue (organization_id, endpoint_id, id, ready_at)
  SELECT organization_id, endpoint_id, id, next_attempt_at FROM wanted WHERE next_attempt_at IS NOT NULL;
  IF FOUND THEN PERFORM pg_notify('switchboard_webhooks', ''); END IF;
  RETURN NULL;
END $$;
`
