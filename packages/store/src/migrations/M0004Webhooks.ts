/** Webhook endpoints, and their deliveries of events. */
export const M0004Webhooks = /* sql */ `
-- UUID version 7 (RFC 9562), which PostgreSQL provides only since version 18. Ids sort by the given time in
-- microseconds (section 6.2, method 3), and then by the place among ids of the same time.
CREATE FUNCTION new_uuid_v7(at timestamptz DEFAULT clock_timestamp(), place bigint DEFAULT 0) RETURNS uuid
LANGUAGE sql VOLATILE PARALLEL SAFE AS $$
  SELECT encode(substring(int8send(floor(extract(epoch FROM at) * 1000)::bigint) FROM 3)
    || substring(int4send(x'7000'::int + (extract(microseconds FROM at)::int % 1000) * 4) FROM 3)
    || substring(int4send(x'8000'::int + (place % 16384)::int) FROM 3)
    || substring(uuid_send(gen_random_uuid()) FROM 11), 'hex')::uuid
$$;

-- The transaction that wrote an event. Ids are created before their transactions commit, so a reader in the order of
-- ids would miss an event that commits late. In the order of transactions, all events before the oldest running
-- transaction are visible.
ALTER TABLE events ADD COLUMN xid xid8 NOT NULL DEFAULT pg_current_xact_id();
-- An organization's events in an order that can be read without gaps.
CREATE INDEX events_stream ON events (organization_id, xid, id);

CREATE TABLE webhook_endpoints (
  organization_id uuid NOT NULL REFERENCES organizations (id),
  id uuid NOT NULL,
  name text NOT NULL,
  slug text NOT NULL,
  description text,
  url text NOT NULL,
  events text[] NOT NULL,
  -- JSON of additional request headers, encrypted: they may contain credentials.
  headers bytea,
  filters jsonb NOT NULL,
  rate_limit jsonb NOT NULL,
  priority integer NOT NULL,
  status text NOT NULL,
  test_mode boolean NOT NULL,
  -- Encrypted. After a change both secrets sign until previous_secret_until.
  secret bytea NOT NULL,
  previous_secret bytea,
  previous_secret_until timestamptz,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  created_by uuid,
  last_modified_by uuid,
  PRIMARY KEY (organization_id, id)
);
-- A slug is unique in an organization.
CREATE UNIQUE INDEX webhook_endpoints_slug_key ON webhook_endpoints (organization_id, slug);
-- Workers refer to endpoints of many organizations by id alone.
CREATE INDEX webhook_endpoints_id ON webhook_endpoints (id);

-- The results of an endpoint's deliveries. A separate table, since each batch of deliveries updates it.
CREATE TABLE webhook_endpoint_health (
  organization_id uuid NOT NULL,
  endpoint_id uuid NOT NULL,
  -- The time since which every attempt failed; NULL after a success.
  failing_since timestamptz,
  -- Deliveries by their final result, without tests; a delivery that is made ready again is subtracted.
  delivered bigint NOT NULL DEFAULT 0,
  failed bigint NOT NULL DEFAULT 0,
  attempts_succeeded bigint NOT NULL DEFAULT 0,
  -- The sum over successful attempts.
  latency_ms_sum bigint NOT NULL DEFAULT 0,
  last_success_at timestamptz,
  last_failure_at timestamptz,
  PRIMARY KEY (organization_id, endpoint_id)
) WITH (fillfactor = 50);

-- One event for one endpoint.
CREATE TABLE webhook_deliveries (
  organization_id uuid NOT NULL,
  id uuid NOT NULL,
  endpoint_id uuid NOT NULL,
  event_id uuid NOT NULL,
  event_type text NOT NULL,
  status text NOT NULL,
  -- The reason of the next attempt: scheduled, manual, test.
  trigger text NOT NULL DEFAULT 'scheduled',
  attempts integer NOT NULL DEFAULT 0,
  -- The number of used delays of the retry schedule.
  retries_used integer NOT NULL DEFAULT 0,
  next_attempt_at timestamptz,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (organization_id, id)
) WITH (fillfactor = 85);
-- An endpoint's deliveries, newest first.
CREATE INDEX webhook_deliveries_endpoint ON webhook_deliveries (organization_id, endpoint_id, id);
-- Deliveries by status, such as a few failed ones among many, and their number.
CREATE INDEX webhook_deliveries_status ON webhook_deliveries (organization_id, endpoint_id, status, id);
-- An event is delivered to an endpoint once. Also finds events that an endpoint has not received.
CREATE UNIQUE INDEX webhook_deliveries_event_key ON webhook_deliveries (organization_id, endpoint_id, event_id);
-- Finds expired deliveries.
CREATE INDEX webhook_deliveries_created ON webhook_deliveries USING brin (created_at);

CREATE TABLE webhook_attempts (
  organization_id uuid NOT NULL,
  delivery_id uuid NOT NULL,
  attempt integer NOT NULL,
  trigger text NOT NULL,
  at timestamptz NOT NULL,
  response_status integer,
  response_body text,
  duration_ms integer NOT NULL,
  error text,
  PRIMARY KEY (organization_id, delivery_id, attempt)
);
-- Finds expired attempts.
CREATE INDEX webhook_attempts_at ON webhook_attempts USING brin (at);

-- Entries that are ready for a worker or leased by one, in the form of message_queue.
CREATE TABLE webhook_queue (
  organization_id uuid NOT NULL,
  endpoint_id uuid NOT NULL,
  -- The delivery.
  id uuid NOT NULL,
  ready_at timestamptz NOT NULL,
  worker text,
  lease_until timestamptz,
  takeovers integer NOT NULL DEFAULT 0,
  PRIMARY KEY (organization_id, id)
) WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 500, autovacuum_analyze_scale_factor = 0.02);
-- The next ready entry of an endpoint; and, by skipping from one to the next, all endpoints with ready entries.
CREATE INDEX webhook_queue_ready ON webhook_queue (endpoint_id, ready_at, id) WHERE lease_until IS NULL;
-- Expired leases.
CREATE INDEX webhook_queue_leases ON webhook_queue (lease_until) WHERE lease_until IS NOT NULL;

-- Retries that become ready later.
CREATE TABLE webhook_waiting (
  organization_id uuid NOT NULL,
  endpoint_id uuid NOT NULL,
  id uuid NOT NULL,
  due_at timestamptz NOT NULL,
  takeovers integer NOT NULL DEFAULT 0,
  PRIMARY KEY (organization_id, id)
) WITH (autovacuum_vacuum_scale_factor = 0.05);
-- Due entries.
CREATE INDEX webhook_waiting_due ON webhook_waiting (due_at);
-- The entries of an endpoint, which are removed when it is paused or removed.
CREATE INDEX webhook_waiting_endpoint ON webhook_waiting (organization_id, endpoint_id);

-- Whether an event is delivered to an endpoint. Filters apply to events of messages; all other events pass. The event
-- of a deleted message contains the fields that filters read.
CREATE FUNCTION webhook_wants(endpoint webhook_endpoints, event_type text, subject uuid, event_data json)
RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT (event_type = ANY (endpoint.events) OR split_part(event_type, '.', 1) || '.*' = ANY (endpoint.events)
      OR '*' = ANY (endpoint.events))
    AND (event_type NOT LIKE 'message.%' OR (endpoint.filters = '{}' AND NOT endpoint.test_mode) OR EXISTS (
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

-- The trigger of the outbox: the transaction that writes an event also queues its deliveries, so that no event is
-- missed. Ids keep the order of events. One notification per statement.
CREATE FUNCTION queue_webhooks() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  at CONSTANT timestamptz := clock_timestamp();
BEGIN
  -- The lock makes this transaction and one that resumes a paused endpoint wait for each other, because resuming queues
  -- the pending deliveries that it finds. A worker drops entries of endpoints that are no longer active.
  PERFORM FROM webhook_endpoints AS w WHERE w.organization_id IN (SELECT organization_id FROM new_events)
    AND w.status = 'paused' ORDER BY w.id FOR KEY SHARE;
  WITH wanted AS (
    INSERT INTO webhook_deliveries (organization_id, id, endpoint_id, event_id, event_type, status, next_attempt_at,
      created_at)
    SELECT w.organization_id, new_uuid_v7(at, row_number() OVER (ORDER BY e.id)), w.id, e.id, e.type, 'pending',
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
`
