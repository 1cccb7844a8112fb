import type { NewIndex } from "./ApplyMigrations.js"
import { addMonths, addPlaces, place, placed } from "./PartyCounts.js"

/** Serializes merging, as in M0033. Requests never wait for this lock. */
const lock = "PERFORM pg_advisory_xact_lock(7231907533)"

/** Rows without messages: of deleted messages, and of former places. */
const deleteEmpty = `
  DELETE FROM participant_months WHERE days = '{}';
  DELETE FROM place_periods WHERE recipients = 0`

/** A column of the old and the new place of `changed`. */
const both = (of: (name: string) => string) => place.split(", ").map(of).join(", ")
const differs = `(${both((name) => `old_${name}`)}) <> (${both((name) => `new_${name}`)})`
const isKnown = `(${both((name) => `new_${name}`)}) <> ('', '')`

/**
 * Messages by participant and month, and recipients by place and period, so that statistics of participants do not read
 * the messages of the range. The parties of a message are the sender of an inbound message and the recipients of an
 * outbound one; their time is that of the message's id. Deleted messages are not counted.
 *
 * Periods and months are in UTC: no figure is by local day, so a change of the time zone changes no count.
 *
 * Recipients are counted by the present place of the participant. `participant_places` has the place by which all its
 * messages are counted: after a change of the place, a job moves the counts (`move_recipients`).
 */
export const M0051MessageParties = /* sql */ `
-- The newest parties. Every statement inserts its own rows; a job merges them.
CREATE TABLE message_party_changes (
  organization_id uuid NOT NULL,
  quarter timestamptz NOT NULL,
  is_outbound boolean NOT NULL,
  -- 1 for new messages, -1 for deleted ones.
  number integer NOT NULL,
  -- One for each message and participant.
  participants uuid[] NOT NULL
) WITH (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 500, autovacuum_analyze_scale_factor = 0.02);
-- Reads of an organization's counts include the rows that are not merged yet.
CREATE INDEX message_party_changes_organization ON message_party_changes (organization_id, quarter);

CREATE TABLE participant_months (
  organization_id uuid NOT NULL,
  participant_id uuid NOT NULL,
  -- The first day of a month.
  month date NOT NULL,
  messages integer NOT NULL,
  -- The days of the month with messages, ascending from 1.
  days smallint[] NOT NULL,
  -- Messages of each of these days.
  counts integer[] NOT NULL,
  PRIMARY KEY (organization_id, participant_id, month) INCLUDE (messages)
) WITH (autovacuum_vacuum_scale_factor = 0.05);
CREATE INDEX participant_months_most ON participant_months (organization_id, month, messages DESC, participant_id DESC);
CREATE INDEX participant_months_empty ON participant_months (organization_id) WHERE days = '{}';

CREATE TABLE place_periods (
  organization_id uuid NOT NULL,
  -- quarter (of an hour), hour, day or month.
  span text NOT NULL,
  starts_at timestamptz NOT NULL,
  -- Empty if unknown.
  country text NOT NULL,
  region text NOT NULL,
  recipients bigint NOT NULL,
  PRIMARY KEY (organization_id, span, starts_at, ${place}) INCLUDE (recipients)
) WITH (autovacuum_vacuum_scale_factor = 0.05);
CREATE INDEX place_periods_empty ON place_periods (organization_id) WHERE recipients = 0;

-- The places by which participants are counted. A participant without a row has none.
CREATE TABLE participant_places (
  organization_id uuid NOT NULL,
  participant_id uuid NOT NULL,
  country text NOT NULL,
  region text NOT NULL,
  PRIMARY KEY (organization_id, participant_id)
);

-- Participants whose place may have changed.
CREATE TABLE participant_place_changes (
  organization_id uuid NOT NULL,
  participant_id uuid NOT NULL
);

CREATE FUNCTION parties_of(direction text, sender uuid, recipients uuid[]) RETURNS uuid[]
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE WHEN direction = 'inbound' THEN ARRAY[sender] ELSE recipients END
$$;

CREATE FUNCTION note_parties() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO message_party_changes (organization_id, quarter, is_outbound, number, participants)
  SELECT organization_id, quarter_of(time_of_uuid_v7(id)), direction = 'outbound',
    CASE TG_OP WHEN 'INSERT' THEN 1 ELSE -1 END, array_agg(p)
  FROM changed CROSS JOIN LATERAL unnest(parties_of(direction, from_participant_id, to_participant_ids)) AS p
  GROUP BY 1, 2, 3;
  RETURN NULL;
END $$;
CREATE FUNCTION note_changed_parties() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO message_party_changes (organization_id, quarter, is_outbound, number, participants)
  SELECT m.organization_id, quarter_of(time_of_uuid_v7(m.id)), m.direction = 'outbound', m.number,
    parties_of(m.direction, m.from_participant_id, m.to_participant_ids)
  FROM (SELECT OLD.*, -1 AS number UNION ALL SELECT NEW.*, 1) AS m;
  RETURN NULL;
END $$;
CREATE TRIGGER messages_parties_added AFTER INSERT ON messages REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION note_parties();
CREATE TRIGGER messages_parties_removed AFTER DELETE ON messages REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION note_parties();
CREATE TRIGGER messages_parties_changed AFTER UPDATE OF direction, from_participant_id, to_participant_ids ON messages
  FOR EACH ROW WHEN ((OLD.direction, OLD.from_participant_id, OLD.to_participant_ids)
    IS DISTINCT FROM (NEW.direction, NEW.from_participant_id, NEW.to_participant_ids))
  EXECUTE FUNCTION note_changed_parties();

-- The country of a phone number; empty if unknown. A job stores it.
ALTER TABLE participant_addresses ADD COLUMN country text;

-- The present place of a participant: without a country, that of its first phone number counts.
CREATE FUNCTION place_of(organization uuid, participant uuid) RETURNS TABLE (country text, region text)
LANGUAGE sql STABLE AS $$
  SELECT coalesce(p.country, (
    SELECT a.country FROM participant_addresses AS a
    WHERE a.organization_id = organization AND a.participant_id = participant AND a.kind IN ('phone', 'whatsapp')
    ORDER BY a.kind, a.address LIMIT 1
  ), ''), coalesce(p.region, '')
  FROM participants AS p WHERE p.organization_id = organization AND p.id = participant
$$;

CREATE FUNCTION note_place() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' THEN INSERT INTO participant_place_changes VALUES (OLD.organization_id, OLD.id);
  ELSE INSERT INTO participant_place_changes VALUES (NEW.organization_id, NEW.id);
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER participants_place_added AFTER INSERT ON participants FOR EACH ROW
  WHEN (NEW.country IS NOT NULL OR NEW.region IS NOT NULL) EXECUTE FUNCTION note_place();
CREATE TRIGGER participants_place_changed AFTER UPDATE OF country, region ON participants FOR EACH ROW
  WHEN ((OLD.country, OLD.region) IS DISTINCT FROM (NEW.country, NEW.region)) EXECUTE FUNCTION note_place();
CREATE TRIGGER participants_place_removed AFTER DELETE ON participants FOR EACH ROW
  WHEN (OLD.country IS NOT NULL OR OLD.region IS NOT NULL) EXECUTE FUNCTION note_place();

CREATE FUNCTION note_phone() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP <> 'INSERT' THEN INSERT INTO participant_place_changes VALUES (OLD.organization_id, OLD.participant_id); END IF;
  IF TG_OP <> 'DELETE' THEN INSERT INTO participant_place_changes VALUES (NEW.organization_id, NEW.participant_id); END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER participant_addresses_added AFTER INSERT ON participant_addresses FOR EACH ROW
  WHEN (NEW.kind IN ('phone', 'whatsapp')) EXECUTE FUNCTION note_phone();
CREATE TRIGGER participant_addresses_changed AFTER UPDATE ON participant_addresses FOR EACH ROW
  WHEN (NEW.kind IN ('phone', 'whatsapp')) EXECUTE FUNCTION note_phone();
CREATE TRIGGER participant_addresses_removed AFTER DELETE ON participant_addresses FOR EACH ROW
  WHEN (OLD.kind IN ('phone', 'whatsapp')) EXECUTE FUNCTION note_phone();

-- Merges the newest parties, at most max_rows rows. Returns their number.
CREATE FUNCTION merge_message_parties(max_rows integer) RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
  merged integer;
BEGIN
  ${lock};
  WITH deleted AS (
    DELETE FROM message_party_changes WHERE ctid = ANY (ARRAY(
      SELECT ctid FROM message_party_changes LIMIT max_rows FOR UPDATE SKIP LOCKED
    )) RETURNING *
  ), parties AS MATERIALIZED (
    SELECT d.organization_id, d.quarter, d.is_outbound, p.participant_id, sum(d.number)::integer AS number
    FROM deleted AS d CROSS JOIN LATERAL unnest(d.participants) AS p(participant_id) GROUP BY 1, 2, 3, 4
  ), months AS (${addMonths("SELECT * FROM parties")}
  ), places AS (${addPlaces(placed("parties"))}
  )
  SELECT count(*) INTO merged FROM deleted;
  ${deleteEmpty};
  RETURN merged;
END $$;

-- Moves the merged counts of recipients to their present place, for at most max_rows changes. Returns their number. The
-- merged counts are those of the stored messages without the parties that are not merged yet, in one snapshot.
CREATE FUNCTION move_recipients(max_rows integer) RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
  moved integer;
BEGIN
  ${lock};
  WITH deleted AS (
    DELETE FROM participant_place_changes WHERE ctid = ANY (ARRAY(
      SELECT ctid FROM participant_place_changes LIMIT max_rows FOR UPDATE SKIP LOCKED
    )) RETURNING organization_id, participant_id
  ), changed AS MATERIALIZED (
    SELECT * FROM (
      SELECT d.organization_id, d.participant_id, ${both((name) => `coalesce(o.${name}, '') AS old_${name}`)},
        ${both((name) => `coalesce(n.${name}, '') AS new_${name}`)}
      FROM (SELECT DISTINCT * FROM deleted) AS d
        LEFT JOIN participant_places AS o USING (organization_id, participant_id)
        LEFT JOIN LATERAL place_of(d.organization_id, d.participant_id) AS n ON true
    ) AS c WHERE ${differs}
  ), counted AS MATERIALIZED (
    SELECT organization_id, participant_id, quarter, sum(number) AS number FROM (
      SELECT c.organization_id, c.participant_id, quarter_of(time_of_uuid_v7(m.id)) AS quarter,
        cardinality(array_positions(m.to_participant_ids, c.participant_id)) AS number
      FROM changed AS c JOIN message_participants AS p USING (organization_id, participant_id)
        CROSS JOIN LATERAL (
          SELECT id, direction, to_participant_ids FROM messages
          WHERE organization_id = p.organization_id AND id = p.message_id OFFSET 0
        ) AS m
      WHERE m.direction = 'outbound'
      UNION ALL SELECT c.organization_id, c.participant_id, u.quarter,
        -u.number * cardinality(array_positions(u.participants, c.participant_id))
      FROM changed AS c JOIN message_party_changes AS u ON u.organization_id = c.organization_id AND u.is_outbound
        AND c.participant_id = ANY (u.participants)
    ) AS one GROUP BY 1, 2, 3
  ), places AS (${addPlaces(`
    SELECT n.organization_id, n.quarter, v.country, v.region, v.sign * n.number AS number
    FROM counted AS n JOIN changed AS c USING (organization_id, participant_id)
      CROSS JOIN LATERAL (VALUES (${both((name) => `old_${name}`)}, -1), (${both((name) => `new_${name}`)}, 1))
        AS v(country, region, sign)`)}
  ), removed AS (
    DELETE FROM participant_places AS l USING changed AS c
    WHERE l.organization_id = c.organization_id AND l.participant_id = c.participant_id AND NOT (${isKnown})
  ), stored AS (
    INSERT INTO participant_places (organization_id, participant_id, ${place})
    SELECT organization_id, participant_id, ${both((name) => `new_${name}`)} FROM changed WHERE ${isKnown}
    ON CONFLICT (organization_id, participant_id) DO UPDATE SET ${both((name) => `${name} = excluded.${name}`)}
  )
  SELECT count(*) INTO moved FROM deleted;
  ${deleteEmpty};
  RETURN moved;
END $$;

-- Organizations whose parties from before this migration are not counted.
CREATE TABLE party_builds (organization_id uuid PRIMARY KEY);
INSERT INTO party_builds SELECT id FROM organizations;

-- Counts the parties of an organization: those of all stored messages, without the ones that triggers recorded, in one
-- snapshot. Nothing is merged before all organizations are counted. Returns 0 if none is left.
CREATE FUNCTION build_parties() RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
  organization uuid;
BEGIN
  DELETE FROM party_builds WHERE organization_id = (
    SELECT organization_id FROM party_builds ORDER BY organization_id LIMIT 1
  ) RETURNING organization_id INTO organization;
  IF NOT FOUND THEN RETURN 0; END IF;
  INSERT INTO participant_places (organization_id, participant_id, ${place})
  SELECT organization, c.id, l.country, l.region
  FROM (
    SELECT id FROM participants WHERE organization_id = organization AND (country IS NOT NULL OR region IS NOT NULL)
    UNION SELECT participant_id FROM participant_addresses
    WHERE organization_id = organization AND kind IN ('phone', 'whatsapp')
  ) AS c CROSS JOIN LATERAL place_of(organization, c.id) AS l;
  WITH parties AS MATERIALIZED (
    SELECT organization_id, quarter, is_outbound, participant_id, sum(number)::integer AS number FROM (
      SELECT m.organization_id, quarter_of(time_of_uuid_v7(m.id)) AS quarter, m.direction = 'outbound' AS is_outbound,
        p.participant_id, 1 AS number
      FROM messages AS m CROSS JOIN LATERAL
        unnest(parties_of(m.direction, m.from_participant_id, m.to_participant_ids)) AS p(participant_id)
      WHERE m.organization_id = organization
      UNION ALL SELECT u.organization_id, u.quarter, u.is_outbound, p.participant_id, -u.number
      FROM message_party_changes AS u CROSS JOIN LATERAL unnest(u.participants) AS p(participant_id)
      WHERE u.organization_id = organization
    ) AS one GROUP BY 1, 2, 3, 4
  ), months AS (${addMonths("SELECT * FROM parties")})
  ${addPlaces(placed("parties"))};
  RETURN 1;
END $$;
`

/** Counts the parties of the messages before `M0051MessageParties`, an organization at a time. */
export const M0052OlderParties = "SELECT built FROM build_parties() AS built WHERE built > 0"

/** The phone numbers whose country is to be stored. */
export const M0052PhoneIndex: ReadonlyArray<NewIndex> = [
  {
    name: "participant_addresses_unnamed",
    on: "participant_addresses (organization_id) WHERE kind IN ('phone', 'whatsapp') AND country IS NULL"
  }
]
