/** Who is told what: subscriptions, and what became of telling them. */
export const M0004Webhooks = /* sql */ `
-- Ids made in the database: UUID version 7 (RFC 9562), which PostgreSQL has by itself only since 18. They sort by the
-- time given, to the microsecond (section 6.2, method 3), and then by a place among those made at once.
CREATE FUNCTION new_uuid_v7(at timestamptz DEFAULT clock_timestamp(), place bigint DEFAULT 0) RETURNS uuid
LANGUAGE sql VOLATILE PARALLEL SAFE AS $$
  SELECT encode(substring(int8send(floor(extract(epoch FROM at) * 1000)::bigint) FROM 3)
    || substring(int4send(x'7000'::int + (extract(microseconds FROM at)::int % 1000) * 4) FROM 3)
    || substring(int4send(x'8000'::int + (place % 16384)::int) FROM 3)
    || substring(uuid_send(gen_random_uuid()) FROM 11), 'hex')::uuid
$$;

-- The transaction that wrote an event. Ids are made before their transactions end, so that a reader who went by ids
-- would miss what ends late: in the order of transactions, everything before the oldest that still runs is complete.
ALTER TABLE events ADD COLUMN xid xid8 NOT NULL DEFAULT pg_current_xact_id();
-- An organization's events in the order in which they can be read without a gap.
CREATE INDEX events_stream ON events (organization_id, xid, id);

CREATE TABLE webhook_endpoints (
  organization_id uuid NOT NULL REFERENCES organizations (id),
  id uuid NOT NULL,
  name text NOT NULL,
  slug text NOT NULL,
  description text,
  url text NOT NULL,
  events text[] NOT NULL,
  -- JSON of extra request headers, encrypted: they may hold credentials.
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
-- A slug names one endpoint of an organization.
CREATE UNIQUE INDEX webhook_endpoints_slug_key ON webhook_endpoints (organization_id, slug);
-- Workers name endpoints of many organizations by their ids alone.
CREATE INDEX webhook_endpoints_id ON webhook_endpoints (id);

-- How an endpoint has answered. Apart from it, since this changes with every batch of deliveries.
CREATE TABLE webhook_endpoint_health (
  organization_id uuid NOT NULL,
  endpoint_id uuid NOT NULL,
  -- Since when every attempt failed; null while they succeed.
  failing_since timestamptz,
  -- Deliveries that ended so; one that is made ready again is taken back. Tests are not among them.
  delivered bigint NOT NULL DEFAULT 0,
  failed bigint NOT NULL DEFAULT 0,
  attempts_succeeded bigint NOT NULL DEFAULT 0,
  -- Of the attempts that succeeded.
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
  -- Why the next attempt is made: scheduled, manual, test.
  trigger text NOT NULL DEFAULT 'scheduled',
  attempts integer NOT NULL DEFAULT 0,
  -- How many waits of the schedule are used up.
  retries_used integer NOT NULL DEFAULT 0,
  next_attempt_at timestamptz,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (organization_id, id)
) WITH (fillfactor = 85);
-- An endpoint's deliveries, newest first.
CREATE INDEX webhook_deliveries_endpoint ON webhook_deliveries (organization_id, endpoint_id, id);
-- The few that failed, or are pending, among many; and how many there are of each.
CREATE INDEX webhook_deliveries_status ON webhook_deliveries (organization_id, endpoint_id, status, id);
-- An event goes to an endpoint once; which events one has not heard.
CREATE UNIQUE INDEX webhook_deliveries_event_key ON webhook_deliveries (organization_id, endpoint_id, event_id);
-- The oldest are found by it.
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
-- The oldest are found by it.
CREATE INDEX webhook_attempts_at ON webhook_attempts USING brin (at);

-- What is ready for a worker, or held by one: of the same form as message_queue.
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
-- The next ready entry of an endpoint, and, by skipping from one to the next, the endpoints that have any.
CREATE INDEX webhook_queue_ready ON webhook_queue (endpoint_id, ready_at, id) WHERE lease_until IS NULL;
-- Leases that ran out.
CREATE INDEX webhook_queue_leases ON webhook_queue (lease_until) WHERE lease_until IS NOT NULL;

-- Retries that wait for their time.
CREATE TABLE webhook_waiting (
  organization_id uuid NOT NULL,
  endpoint_id uuid NOT NULL,
  id uuid NOT NULL,
  due_at timestamptz NOT NULL,
  takeovers integer NOT NULL DEFAULT 0,
  PRIMARY KEY (organization_id, id)
) WITH (autovacuum_vacuum_scale_factor = 0.05);
-- What is due.
CREATE INDEX webhook_waiting_due ON webhook_waiting (due_at);
-- An endpoint that is paused or removed takes its entries with it.
CREATE INDEX webhook_waiting_endpoint ON webhook_waiting (organization_id, endpoint_id);

-- Whether an endpoint hears of an event. Filters are about messages: all other events pass them. The event of a
-- message that was deleted carries itself what they look at.
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

-- The outbox's other half: whoever is subscribed is written down in the transaction that writes the event, so that
-- nothing has to be found out later, and no event can be missed. Ids keep the order in which it happened. One
-- notification a statement.
CREATE FUNCTION queue_webhooks() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  at CONSTANT timestamptz := clock_timestamp();
BEGIN
  -- Whoever resumes an endpoint queues what it finds pending: it waits for those who still find it paused, and they
  -- for it. What was queued for one that is no longer active is told by the worker that takes it.
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
