import { allEvents, allOfResource } from "@switchboard/domain/events/SubscribesTo"
import { filteredResource } from "@switchboard/domain/webhooks/WebhookRequests"

/** Whether an event is delivered to an endpoint. */
export const webhookWants = /* sql */ `
-- Whether an event is delivered to an endpoint. Filters apply to events of messages; all other events pass. The event
-- of a deleted message contains the fields that filters read. The webhook of a voice agent receives events of its calls.
CREATE OR REPLACE FUNCTION webhook_wants(endpoint webhook_endpoints, event_type text, subject uuid, event_data json)
RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT (event_type = ANY (endpoint.events) OR split_part(event_type, '.', 1) || '${allOfResource}' = ANY (endpoint.events)
      OR '${allEvents}' = ANY (endpoint.events))
    AND (endpoint.type <> 'voice_agent' OR event_data ->> 'voiceAgentId' = endpoint.id::text)
    AND (event_type NOT LIKE '${filteredResource}.%' OR (endpoint.filters = '{}' AND NOT endpoint.test_mode) OR EXISTS (
      SELECT 1 FROM (
        SELECT m.channel, m.tags, m.is_test FROM messages AS m
        WHERE m.organization_id = endpoint.organization_id AND m.id = subject
        UNION ALL
        SELECT event_data ->> 'channel', ARRAY(SELECT json_array_elements_text(event_data -> 'tags')),
          (event_data ->> 'isTest')::boolean WHERE event_type = 'message.deleted'
      ) AS about (channel, tags, is_test)
      WHERE (NOT endpoint.test_mode OR is_test)
        AND (endpoint.filters -> 'isTest' IS NULL OR is_test = (endpoint.filters ->> 'isTest')::boolean)
        AND (endpoint.filters -> 'channels' IS NULL OR endpoint.filters -> 'channels' ? channel)
        AND (endpoint.filters -> 'tags' IS NULL OR endpoint.filters -> 'tags' ?| tags)))
$$;
`

/** Webhook endpoints and their deliveries of events. */
export const Webhooks = /* sql */ `
-- The URLs that events are delivered to.
CREATE TABLE webhook_endpoints (
  organization_id uuid NOT NULL REFERENCES organizations (id), id uuid NOT NULL, name text NOT NULL, slug text NOT NULL,
  description text, url text NOT NULL, events text[] NOT NULL,
  filters jsonb NOT NULL, rate_limit jsonb NOT NULL, priority integer NOT NULL, status text NOT NULL,
  test_mode boolean NOT NULL, created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL, created_by uuid, last_modified_by uuid,
  -- webhook; voice_agent: the webhook of the voice agent with the same id.
  type text NOT NULL DEFAULT 'webhook',
  PRIMARY KEY (organization_id, id)
);
-- A slug is unique in an organization.
CREATE UNIQUE INDEX webhook_endpoints_slug_key ON webhook_endpoints (organization_id, slug);
-- Workers refer to endpoints of many organizations by id alone.
CREATE INDEX webhook_endpoints_id ON webhook_endpoints (id);

-- The results of an endpoint's deliveries. A separate table, since each batch of deliveries updates it.
CREATE TABLE webhook_endpoint_health (
  organization_id uuid NOT NULL, endpoint_id uuid NOT NULL,
  -- The time since which every attempt failed; NULL after a success.
  failing_since timestamptz,
  -- Deliveries by their final result, without tests; a delivery that is made ready again is subtracted.
  delivered bigint NOT NULL DEFAULT 0,
  failed bigint NOT NULL DEFAULT 0, attempts_succeeded bigint NOT NULL DEFAULT 0,
  -- The sum over successful attempts.
  latency_ms_sum bigint NOT NULL DEFAULT 0,
  last_success_at timestamptz, last_failure_at timestamptz, attempts_failed bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (organization_id, endpoint_id)
) WITH (fillfactor = 50);

-- One event for one endpoint.
CREATE TABLE webhook_deliveries (
  organization_id uuid NOT NULL, id uuid NOT NULL, endpoint_id uuid NOT NULL, event_id uuid NOT NULL,
  event_type text NOT NULL, status text NOT NULL,
  -- The reason of the next attempt: scheduled, manual, test.
  trigger text NOT NULL DEFAULT 'scheduled',
  attempts integer NOT NULL DEFAULT 0,
  -- The number of used delays of the retry schedule.
  retries_used integer NOT NULL DEFAULT 0,
  next_attempt_at timestamptz, created_at timestamptz NOT NULL,
  PRIMARY KEY (organization_id, id)
) PARTITION BY RANGE (id);
CREATE TABLE webhook_deliveries_default PARTITION OF webhook_deliveries DEFAULT;
-- An endpoint's deliveries, newest first.
CREATE INDEX webhook_deliveries_endpoint ON webhook_deliveries (organization_id, endpoint_id, id);
-- Deliveries by status, such as a few failed ones among many, and their number.
CREATE INDEX webhook_deliveries_status ON webhook_deliveries (organization_id, endpoint_id, status, id);
-- Lists of deliveries by the type of the event.
CREATE INDEX webhook_deliveries_type ON webhook_deliveries (organization_id, endpoint_id, event_type, id);

-- The body of a delivery's first attempt, which every later attempt repeats. Deleted with the delivery, and with the
-- message that it is about.
CREATE TABLE webhook_bodies (
  organization_id uuid NOT NULL, delivery_id uuid NOT NULL,
  -- NULL if the body is not about a message, or reports its deletion.
  message_id uuid,
  body text NOT NULL,
  PRIMARY KEY (organization_id, delivery_id)
) PARTITION BY RANGE (delivery_id);
CREATE TABLE webhook_bodies_default PARTITION OF webhook_bodies DEFAULT;
-- The bodies that are deleted with a message.
CREATE INDEX webhook_bodies_message ON webhook_bodies (organization_id, message_id) WHERE message_id IS NOT NULL;

-- The requests of deliveries, with their responses.
CREATE TABLE webhook_attempts (
  organization_id uuid NOT NULL, delivery_id uuid NOT NULL, attempt integer NOT NULL, trigger text NOT NULL,
  at timestamptz NOT NULL, response_status integer, response_body text, duration_ms integer NOT NULL, error text,
  -- Objects of names and values, without credentials. NULL if no request was sent, or no response arrived.
  request_headers json,
  response_headers json,
  PRIMARY KEY (organization_id, delivery_id, attempt)
) PARTITION BY RANGE (delivery_id);
CREATE TABLE webhook_attempts_default PARTITION OF webhook_attempts DEFAULT;

-- The id of the delivery of an event to an endpoint. The first 11 octets are those of the event's id: the time and the
-- order within it. In the others, which are random, each endpoint changes other bits, so that two events of an endpoint
-- never get the same id, and two endpoints only if the last 40 random bits of their ids are equal.
CREATE FUNCTION webhook_delivery_id(event uuid, endpoint uuid) RETURNS uuid LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT (left(event::text, 26) || lpad(to_hex((('x' || right(event::text, 10))::bit(40)
    # ('x' || right(endpoint::text, 10))::bit(40))::bigint), 10, '0'))::uuid
$$;
${webhookWants}
-- The trigger of the outbox: the transaction that writes an event also queues its deliveries, so that no event is
-- missed. Ids keep the order of events. One notification per statement.
CREATE FUNCTION queue_webhooks() RETURNS trigger LANGUAGE plpgsql AS $$
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
CREATE TRIGGER events_webhooks AFTER INSERT ON events REFERENCING NEW TABLE AS new_events
  FOR EACH STATEMENT EXECUTE FUNCTION queue_webhooks();

-- A trigger deletes the bodies of a message: no foreign key refers to a partitioned table, since dropping a partition
-- would read the table with the key.
CREATE FUNCTION delete_message_bodies() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM webhook_bodies WHERE organization_id = OLD.organization_id AND message_id = OLD.id;
  RETURN NULL;
END $$;
CREATE TRIGGER messages_webhook_bodies AFTER DELETE ON messages
  FOR EACH ROW EXECUTE FUNCTION delete_message_bodies();
`
