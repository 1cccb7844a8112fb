/**
 * Requests of keys, and counts by participant and place with their triggers and functions. Triggers insert the newest
 * changes; jobs merge them.
 */
export const Analytics = /* sql */ `
-- Hourly request counts (UTC), so that totals and statistics do not count rows.
CREATE TABLE api_key_usage (
  organization_id uuid NOT NULL, api_key_id uuid NOT NULL, hour timestamptz NOT NULL, method text NOT NULL,
  route text NOT NULL, status integer NOT NULL, requests bigint NOT NULL,
  PRIMARY KEY (organization_id, api_key_id, hour, method, route, status)
) WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.05);
-- Finds expired hours.
CREATE INDEX api_key_usage_hour ON api_key_usage (hour);

-- The newest parties. Every statement inserts its own rows; a job merges them.
CREATE TABLE message_party_changes (
  organization_id uuid NOT NULL, quarter timestamptz NOT NULL, is_outbound boolean NOT NULL,
  -- 1 for new messages, -1 for deleted ones.
  number integer NOT NULL,
  -- One for each message and participant.
  participants uuid[] NOT NULL
) WITH (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 500,
  autovacuum_analyze_scale_factor = 0.02);
-- Reads of an organization's counts include the rows that are not merged yet.
CREATE INDEX message_party_changes_organization ON message_party_changes (organization_id, quarter);

-- The places by which participants are counted. A participant without a row has none.
CREATE TABLE participant_places (
  organization_id uuid NOT NULL, participant_id uuid NOT NULL, country text NOT NULL, region text NOT NULL,
  PRIMARY KEY (organization_id, participant_id)
);

-- Participants whose place may have changed.
CREATE TABLE participant_place_changes (
  organization_id uuid NOT NULL, participant_id uuid NOT NULL
);

-- Organizations whose stored messages are not counted by participant.
CREATE TABLE party_builds (
  organization_id uuid PRIMARY KEY
);

-- Messages of a participant by month and day (UTC).
CREATE TABLE participant_months (
  organization_id uuid NOT NULL, participant_id uuid NOT NULL,
  -- The first day of a month.
  month date NOT NULL,
  messages integer NOT NULL,
  -- The days of the month with messages, ascending from 1.
  days smallint[] NOT NULL,
  -- Messages of each of these days.
  counts integer[] NOT NULL,
  PRIMARY KEY (organization_id, participant_id, month) INCLUDE (messages)
) WITH (autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_insert_scale_factor = 0.02);
-- The participants with the most messages of a month.
CREATE INDEX participant_months_most ON participant_months (organization_id, month, messages DESC, participant_id DESC);
-- Rows to delete.
CREATE INDEX participant_months_empty ON participant_months (organization_id) WHERE days = '{}';

-- Recipients by place and period (UTC).
CREATE TABLE place_periods (
  organization_id uuid NOT NULL,
  -- quarter (of an hour), hour, day or month.
  span text NOT NULL,
  starts_at timestamptz NOT NULL,
  -- Empty if unknown.
  country text NOT NULL,
  region text NOT NULL, recipients bigint NOT NULL,
  PRIMARY KEY (organization_id, span, starts_at, country, region) INCLUDE (recipients)
) WITH (autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_insert_scale_factor = 0.02);
-- Rows to delete.
CREATE INDEX place_periods_empty ON place_periods (organization_id) WHERE recipients = 0;

-- The requests of keys by operation and status, in all hours: a total does not sum the hours.
CREATE TABLE api_key_totals (
  organization_id uuid NOT NULL, api_key_id uuid NOT NULL, method text NOT NULL, route text NOT NULL,
  status integer NOT NULL, requests bigint NOT NULL,
  PRIMARY KEY (organization_id, api_key_id, method, route, status)
) WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.05);

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
CREATE TRIGGER messages_parties_added AFTER INSERT ON messages REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION note_parties();
CREATE TRIGGER messages_parties_removed AFTER DELETE ON messages REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION note_parties();

CREATE FUNCTION note_changed_parties() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO message_party_changes (organization_id, quarter, is_outbound, number, participants)
  SELECT m.organization_id, quarter_of(time_of_uuid_v7(m.id)), m.direction = 'outbound', m.number,
    parties_of(m.direction, m.from_participant_id, m.to_participant_ids)
  FROM (SELECT OLD.*, -1 AS number UNION ALL SELECT NEW.*, 1) AS m;
  RETURN NULL;
END $$;
CREATE TRIGGER messages_parties_changed AFTER UPDATE OF direction, from_participant_id, to_participant_ids ON messages
  FOR EACH ROW WHEN (OLD.direction IS DISTINCT FROM NEW.direction
    OR OLD.from_participant_id IS DISTINCT FROM NEW.from_participant_id
    OR OLD.to_participant_ids IS DISTINCT FROM NEW.to_participant_ids)
  EXECUTE FUNCTION note_changed_parties();

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
  PERFORM pg_advisory_xact_lock(7231907533);
  WITH deleted AS (
    DELETE FROM message_party_changes WHERE ctid = ANY (ARRAY(
      SELECT ctid FROM message_party_changes LIMIT max_rows FOR UPDATE SKIP LOCKED
    )) RETURNING *
  ), parties AS MATERIALIZED (
    SELECT d.organization_id, d.quarter, d.is_outbound, p.participant_id, sum(d.number)::integer AS number
    FROM deleted AS d CROSS JOIN LATERAL unnest(d.participants) AS p(participant_id) GROUP BY 1, 2, 3, 4
  ), months AS (
  INSERT INTO participant_months AS m (organization_id, participant_id, month, messages, days, counts)
  SELECT organization_id, participant_id, month, sum(number), array_agg(day ORDER BY day), array_agg(number ORDER BY day)
  FROM (
    SELECT organization_id, participant_id, date_trunc('month', quarter AT TIME ZONE 'UTC')::date AS month,
      extract(day FROM quarter AT TIME ZONE 'UTC')::smallint AS day, sum(number)::integer AS number
    FROM (SELECT * FROM parties) AS p GROUP BY 1, 2, 3, 4 HAVING sum(number) <> 0
  ) AS d
  GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
  ON CONFLICT (organization_id, participant_id, month) DO UPDATE SET messages = m.messages + excluded.messages,
    (days, counts) = (
      SELECT coalesce(array_agg(day ORDER BY day), '{}'), coalesce(array_agg(number ORDER BY day), '{}') FROM (
        SELECT day, sum(number)::integer AS number FROM (
          SELECT * FROM unnest(m.days, m.counts) AS old(day, number)
          UNION ALL SELECT * FROM unnest(excluded.days, excluded.counts)
        ) AS one GROUP BY day HAVING sum(number) <> 0
      ) AS summed
    )
  ), places AS (
  INSERT INTO place_periods AS t (organization_id, span, starts_at, country, region, recipients)
  SELECT organization_id, s.span,
    CASE s.span WHEN 'quarter' THEN quarter ELSE date_trunc(s.span, quarter, 'UTC') END, country, region, sum(number)
  FROM (
    SELECT p.organization_id, p.quarter, coalesce(l.country, '') AS country, coalesce(l.region, '') AS region,
      p.number
    FROM parties AS p LEFT JOIN participant_places AS l USING (organization_id, participant_id) WHERE p.is_outbound) AS r CROSS JOIN (VALUES ('quarter'), ('hour'), ('day'), ('month')) AS s(span)
  GROUP BY 1, 2, 3, 4, 5 HAVING sum(number) <> 0 ORDER BY 1, 2, 3, 4, 5
  ON CONFLICT (organization_id, span, starts_at, country, region) DO UPDATE SET recipients = t.recipients + excluded.recipients
  )
  SELECT count(*) INTO merged FROM deleted;
  
  DELETE FROM participant_months WHERE days = '{}';
  DELETE FROM place_periods WHERE recipients = 0;
  RETURN merged;
END $$;

-- Moves the merged counts of recipients to their present place, for at most max_rows changes. Returns their number. The
-- merged counts are those of the stored messages without the parties that are not merged yet, in one snapshot.
CREATE FUNCTION move_recipients(max_rows integer) RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
  moved integer;
BEGIN
  PERFORM pg_advisory_xact_lock(7231907533);
  WITH deleted AS (
    DELETE FROM participant_place_changes WHERE ctid = ANY (ARRAY(
      SELECT ctid FROM participant_place_changes LIMIT max_rows FOR UPDATE SKIP LOCKED
    )) RETURNING organization_id, participant_id
  ), changed AS MATERIALIZED (
    SELECT * FROM (
      SELECT d.organization_id, d.participant_id, coalesce(o.country, '') AS old_country, coalesce(o.region, '') AS old_region,
        coalesce(n.country, '') AS new_country, coalesce(n.region, '') AS new_region
      FROM (SELECT DISTINCT * FROM deleted) AS d
        LEFT JOIN participant_places AS o USING (organization_id, participant_id)
        LEFT JOIN LATERAL place_of(d.organization_id, d.participant_id) AS n ON true
    ) AS c WHERE (old_country, old_region) <> (new_country, new_region)
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
  ), places AS (
  INSERT INTO place_periods AS t (organization_id, span, starts_at, country, region, recipients)
  SELECT organization_id, s.span,
    CASE s.span WHEN 'quarter' THEN quarter ELSE date_trunc(s.span, quarter, 'UTC') END, country, region, sum(number)
  FROM (
    SELECT n.organization_id, n.quarter, v.country, v.region, v.sign * n.number AS number
    FROM counted AS n JOIN changed AS c USING (organization_id, participant_id)
      CROSS JOIN LATERAL (VALUES (old_country, old_region, -1), (new_country, new_region, 1))
        AS v(country, region, sign)) AS r CROSS JOIN (VALUES ('quarter'), ('hour'), ('day'), ('month')) AS s(span)
  GROUP BY 1, 2, 3, 4, 5 HAVING sum(number) <> 0 ORDER BY 1, 2, 3, 4, 5
  ON CONFLICT (organization_id, span, starts_at, country, region) DO UPDATE SET recipients = t.recipients + excluded.recipients
  ), removed AS (
    DELETE FROM participant_places AS l USING changed AS c
    WHERE l.organization_id = c.organization_id AND l.participant_id = c.participant_id AND NOT ((new_country, new_region) <> ('', ''))
  ), stored AS (
    INSERT INTO participant_places (organization_id, participant_id, country, region)
    SELECT organization_id, participant_id, new_country, new_region FROM changed WHERE (new_country, new_region) <> ('', '')
    ON CONFLICT (organization_id, participant_id) DO UPDATE SET country = excluded.country, region = excluded.region
  )
  SELECT count(*) INTO moved FROM deleted;
  
  DELETE FROM participant_months WHERE days = '{}';
  DELETE FROM place_periods WHERE recipients = 0;
  RETURN moved;
END $$;

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
  INSERT INTO participant_places (organization_id, participant_id, country, region)
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
  ), months AS (
  INSERT INTO participant_months AS m (organization_id, participant_id, month, messages, days, counts)
  SELECT organization_id, participant_id, month, sum(number), array_agg(day ORDER BY day), array_agg(number ORDER BY day)
  FROM (
    SELECT organization_id, participant_id, date_trunc('month', quarter AT TIME ZONE 'UTC')::date AS month,
      extract(day FROM quarter AT TIME ZONE 'UTC')::smallint AS day, sum(number)::integer AS number
    FROM (SELECT * FROM parties) AS p GROUP BY 1, 2, 3, 4 HAVING sum(number) <> 0
  ) AS d
  GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
  ON CONFLICT (organization_id, participant_id, month) DO UPDATE SET messages = m.messages + excluded.messages,
    (days, counts) = (
      SELECT coalesce(array_agg(day ORDER BY day), '{}'), coalesce(array_agg(number ORDER BY day), '{}') FROM (
        SELECT day, sum(number)::integer AS number FROM (
          SELECT * FROM unnest(m.days, m.counts) AS old(day, number)
          UNION ALL SELECT * FROM unnest(excluded.days, excluded.counts)
        ) AS one GROUP BY day HAVING sum(number) <> 0
      ) AS summed
    ))
  
  INSERT INTO place_periods AS t (organization_id, span, starts_at, country, region, recipients)
  SELECT organization_id, s.span,
    CASE s.span WHEN 'quarter' THEN quarter ELSE date_trunc(s.span, quarter, 'UTC') END, country, region, sum(number)
  FROM (
    SELECT p.organization_id, p.quarter, coalesce(l.country, '') AS country, coalesce(l.region, '') AS region,
      p.number
    FROM parties AS p LEFT JOIN participant_places AS l USING (organization_id, participant_id) WHERE p.is_outbound) AS r CROSS JOIN (VALUES ('quarter'), ('hour'), ('day'), ('month')) AS s(span)
  GROUP BY 1, 2, 3, 4, 5 HAVING sum(number) <> 0 ORDER BY 1, 2, 3, 4, 5
  ON CONFLICT (organization_id, span, starts_at, country, region) DO UPDATE SET recipients = t.recipients + excluded.recipients;
  RETURN 1;
END $$;
`
