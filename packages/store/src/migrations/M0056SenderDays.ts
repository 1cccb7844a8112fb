const sums = ["sent", "bounced", "complained"] as const

/** A 1 for each count of a counted status. */
const counts = (status: string, sign: string) => `
    ${sign}1 AS sent, ${sign}(${status} = 'bounced')::integer AS bounced, ${sign}(${status} = 'complained')::integer AS complained`

const isCounted = "status IN ('sent', 'delivered', 'read', 'bounced', 'complained')"
const summed = sums.map((name) => `sum(${name})::integer AS ${name}`).join(", ")
const changed = sums.map((name) => `sum(${name}) <> 0`).join(" OR ")
const day = (id: string) => `(time_of_uuid_v7(${id}) AT TIME ZONE 'UTC')::date`
const columns = sums.map((name) => `${name} integer NOT NULL`).join(",\n  ")

/**
 * The present outcomes of outbound messages by sender and day of the message's id in UTC, so that the reputation of a
 * sender is read without its messages. Deleting a message does not change the counts.
 */
export const M0056SenderDays = /* sql */ `
CREATE TABLE sender_days (
  organization_id uuid NOT NULL,
  -- The participant of the address.
  sender_id uuid NOT NULL,
  day date NOT NULL,
  -- Messages that were sent, including the ones that bounced or complained later.
  ${columns},
  PRIMARY KEY (organization_id, sender_id, day)
) WITH (fillfactor = 50);

-- The newest changes of these numbers. Every statement inserts its own rows, and a job merges them.
CREATE TABLE sender_changes (
  organization_id uuid NOT NULL,
  sender_id uuid NOT NULL,
  day date NOT NULL,
  ${columns}
) WITH (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 500, autovacuum_analyze_scale_factor = 0.02);
CREATE INDEX sender_changes_sender ON sender_changes (organization_id, sender_id, day);

-- No outbound message begins with a counted status, so that only updates are counted.
CREATE FUNCTION count_outcomes() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO sender_changes (organization_id, sender_id, day, ${sums.join(", ")})
  SELECT m.organization_id, m.from_participant_id, ${day("m.id")}, ${summed}
  FROM (
    SELECT organization_id, message_id, ${summed} FROM (
      SELECT organization_id, message_id,${counts("status", "")} FROM new_states WHERE ${isCounted}
      UNION ALL SELECT organization_id, message_id,${counts("status", "-")} FROM old_states WHERE ${isCounted}
    ) AS one GROUP BY 1, 2 HAVING ${changed}
  ) AS s CROSS JOIN LATERAL (
    SELECT organization_id, id, direction, from_participant_id FROM messages
    WHERE organization_id = s.organization_id AND id = s.message_id OFFSET 0
  ) AS m
  WHERE m.direction = 'outbound' GROUP BY 1, 2, 3;
  RETURN NULL;
END $$;
CREATE TRIGGER message_states_outcomes AFTER UPDATE ON message_states
  REFERENCING OLD TABLE AS old_states NEW TABLE AS new_states FOR EACH STATEMENT EXECUTE FUNCTION count_outcomes();

-- Organizations whose outcomes from before this migration are not counted.
CREATE TABLE sender_builds (organization_id uuid PRIMARY KEY);
INSERT INTO sender_builds SELECT id FROM organizations;

-- Counts the outcomes of an organization's messages of the last 32 days, without the ones that triggers recorded, in one
-- snapshot. Returns 0 if none is left.
CREATE FUNCTION build_sender_days() RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
  organization uuid;
BEGIN
  DELETE FROM sender_builds WHERE organization_id = (
    SELECT organization_id FROM sender_builds ORDER BY organization_id LIMIT 1
  ) RETURNING organization_id INTO organization;
  IF NOT FOUND THEN RETURN 0; END IF;
  INSERT INTO sender_days AS t (organization_id, sender_id, day, ${sums.join(", ")})
  SELECT organization, sender_id, day, ${summed} FROM (
    SELECT m.from_participant_id AS sender_id, ${day("m.id")} AS day,${counts("s.status", "")}
    FROM messages AS m JOIN message_states AS s ON s.organization_id = organization AND s.message_id = m.id
    WHERE m.organization_id = organization AND m.direction = 'outbound' AND s.${isCounted}
      AND m.id >= (lpad(to_hex((extract(epoch FROM now() - interval '32 days') * 1000)::bigint), 12, '0') || repeat('0', 20))::uuid
    UNION ALL SELECT sender_id, day, ${sums.map((name) => `-${name}`).join(", ")} FROM sender_changes
    WHERE organization_id = organization
  ) AS one GROUP BY 2, 3 ORDER BY 2, 3
  ON CONFLICT (organization_id, sender_id, day) DO UPDATE SET
    ${sums.map((name) => `${name} = t.${name} + excluded.${name}`).join(", ")};
  RETURN 1;
END $$;
`

/** Counts the outcomes of the messages before `M0056SenderDays`, an organization at a time. */
export const M0057OlderOutcomes = "SELECT built FROM build_sender_days() AS built WHERE built > 0"
