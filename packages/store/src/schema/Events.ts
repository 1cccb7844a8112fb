/** The outbox: events, and the positions in which they are read. */
export const Events = /* sql */ `
-- The transactional outbox: every change of state, written in the same transaction.
CREATE TABLE events (
  organization_id uuid NOT NULL, id uuid NOT NULL, type text NOT NULL,
  -- The message, domain, key… that the event is about.
  subject_id uuid NOT NULL,
  data json NOT NULL, created_at timestamptz NOT NULL,
  PRIMARY KEY (organization_id, id)
) PARTITION BY RANGE (id);
CREATE TABLE events_default PARTITION OF events DEFAULT;

-- The events of one statement that have no position yet. An event that is written after the commit of another one has a
-- greater number.
CREATE TABLE new_event_batches (
  organization_id uuid NOT NULL, number bigint NOT NULL GENERATED ALWAYS AS IDENTITY, events uuid[] NOT NULL,
  PRIMARY KEY (organization_id, number)
) WITH (autovacuum_vacuum_scale_factor = 0.05);

-- Batches with positions, the order in which events are read. A lock of the organization's row in event_positions is
-- required to assign positions: no position appears after a greater one is visible.
CREATE TABLE event_batches (
  organization_id uuid NOT NULL, position bigint NOT NULL,
  -- The lowest id of the batch.
  first_event uuid NOT NULL,
  events uuid[] NOT NULL,
  PRIMARY KEY (organization_id, position)
);
-- Finds the batch of an event: its first_event is the event's id or a lower one.
CREATE INDEX event_batches_first_event ON event_batches (organization_id, first_event);

-- The last assigned position of each organization, and the last one whose events are in the rollups.
CREATE TABLE event_positions (
  organization_id uuid PRIMARY KEY, last bigint NOT NULL, folded bigint NOT NULL DEFAULT 0
) WITH (fillfactor = 50);
-- The organizations with new events.
CREATE INDEX event_positions_new ON event_positions (organization_id) WHERE folded < last;

CREATE FUNCTION batch_events() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO new_event_batches (organization_id, events)
  SELECT organization_id, array_agg(id ORDER BY id) FROM new_events GROUP BY organization_id;
  RETURN NULL;
END $$;
CREATE TRIGGER events_batches AFTER INSERT ON events REFERENCING NEW TABLE AS new_events
  FOR EACH STATEMENT EXECUTE FUNCTION batch_events();
`
