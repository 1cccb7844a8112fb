/**
 * Requests of keys, and counts by conversation with their triggers and functions. Triggers insert the newest changes; a
 * job merges them.
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

-- The numbers of conversations without a message between two quarter hours of different days.
CREATE TABLE conversation_gaps (
  organization_id uuid NOT NULL,
  -- -infinity before the first message.
  last_at timestamptz NOT NULL,
  -- infinity after the last message.
  next_at timestamptz NOT NULL,
  conversations integer NOT NULL,
  PRIMARY KEY (organization_id, last_at, next_at)
) WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.05);
-- The gaps that end in a range.
CREATE INDEX conversation_gaps_next ON conversation_gaps (organization_id, next_at, last_at);

-- The newest messages of conversations; a job merges them. 1 for a new message, -1 for one that is deleted or moved.
CREATE TABLE conversation_changes (
  organization_id uuid NOT NULL, conversation_id uuid NOT NULL, quarter timestamptz NOT NULL, number integer NOT NULL
) WITH (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 500,
  autovacuum_analyze_scale_factor = 0.02);
-- Reads of an organization's counts include the rows that are not merged yet.
CREATE INDEX conversation_changes_organization ON conversation_changes (organization_id, quarter);

-- The quarter hours in which a conversation has messages. Negative if a deletion was merged before its message.
CREATE TABLE conversation_quarters (
  organization_id uuid NOT NULL, conversation_id uuid NOT NULL, quarter timestamptz NOT NULL, messages integer NOT NULL,
  PRIMARY KEY (organization_id, conversation_id, quarter)
) WITH (autovacuum_vacuum_scale_factor = 0.05);

-- The conversations with a message on a day, by the last day before it with a message. A range reads one row per day.
CREATE TABLE conversation_days (
  organization_id uuid NOT NULL, day date NOT NULL,
  -- Ascending, from -infinity for the first day of a conversation.
  last_days date[] NOT NULL,
  -- The conversations of each last day.
  conversations integer[] NOT NULL,
  PRIMARY KEY (organization_id, day)
) WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.05);

-- Organizations whose stored messages are not counted by conversation.
CREATE TABLE conversation_builds (
  organization_id uuid PRIMARY KEY
);

-- The requests of keys by operation and status, in all hours: a total does not sum the hours.
CREATE TABLE api_key_totals (
  organization_id uuid NOT NULL, api_key_id uuid NOT NULL, method text NOT NULL, route text NOT NULL,
  status integer NOT NULL, requests bigint NOT NULL,
  PRIMARY KEY (organization_id, api_key_id, method, route, status)
) WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.05);

CREATE FUNCTION note_conversation() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP <> 'INSERT' AND OLD.conversation_id IS NOT NULL THEN
    INSERT INTO conversation_changes
    VALUES (OLD.organization_id, OLD.conversation_id, quarter_of(time_of_uuid_v7(OLD.id)), -1);
  END IF;
  IF TG_OP <> 'DELETE' AND NEW.conversation_id IS NOT NULL THEN
    INSERT INTO conversation_changes
    VALUES (NEW.organization_id, NEW.conversation_id, quarter_of(time_of_uuid_v7(NEW.id)), 1);
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER messages_conversation_added AFTER INSERT ON messages FOR EACH ROW
  WHEN (NEW.conversation_id IS NOT NULL) EXECUTE FUNCTION note_conversation();
CREATE TRIGGER messages_conversation_removed AFTER DELETE ON messages FOR EACH ROW
  WHEN (OLD.conversation_id IS NOT NULL) EXECUTE FUNCTION note_conversation();
CREATE TRIGGER messages_conversation_changed AFTER UPDATE OF conversation_id ON messages FOR EACH ROW
  WHEN (OLD.conversation_id IS DISTINCT FROM NEW.conversation_id) EXECUTE FUNCTION note_conversation();

-- Merges the newest messages of conversations, at most max_rows rows. Returns their number. A change of a quarter hour
-- changes the gaps between its neighbours; OFFSET 0 finds them by index in any plan.
CREATE FUNCTION merge_conversations(max_rows integer) RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
  merged integer;
BEGIN
  PERFORM pg_advisory_xact_lock(7231907533);
  WITH deleted AS (
    DELETE FROM conversation_changes WHERE ctid = ANY (ARRAY(
      SELECT ctid FROM conversation_changes LIMIT max_rows FOR UPDATE SKIP LOCKED
    )) RETURNING *
  ), changed AS MATERIALIZED (
    SELECT organization_id, conversation_id, quarter, sum(number)::integer AS number
    FROM deleted GROUP BY 1, 2, 3 HAVING sum(number) <> 0
  ), around AS (
    SELECT c.organization_id, c.conversation_id, n.quarter
    FROM (SELECT organization_id, conversation_id, min(quarter) AS first, max(quarter) AS last FROM changed GROUP BY 1, 2) AS c
      CROSS JOIN LATERAL (
        (SELECT quarter FROM conversation_quarters WHERE organization_id = c.organization_id AND conversation_id = c.conversation_id AND messages > 0 AND quarter < c.first ORDER BY quarter DESC LIMIT 1)
        UNION ALL (SELECT quarter FROM conversation_quarters WHERE organization_id = c.organization_id AND conversation_id = c.conversation_id AND messages > 0 AND quarter BETWEEN c.first AND c.last OFFSET 0)
        UNION ALL (SELECT quarter FROM conversation_quarters WHERE organization_id = c.organization_id AND conversation_id = c.conversation_id AND messages > 0 AND quarter > c.last ORDER BY quarter LIMIT 1)
      ) AS n
  ), sums AS MATERIALIZED (
    SELECT c.*, coalesce(q.messages, 0) + c.number AS messages FROM changed AS c LEFT JOIN LATERAL (
      SELECT messages FROM conversation_quarters AS q WHERE q.organization_id = c.organization_id
        AND q.conversation_id = c.conversation_id AND q.quarter = c.quarter OFFSET 0
    ) AS q ON true
  ), states AS MATERIALIZED (
    SELECT organization_id, conversation_id, quarter, a.quarter IS NOT NULL AS was_active,
      coalesce(s.messages > 0, true) AS is_active
    FROM around AS a FULL JOIN sums AS s USING (organization_id, conversation_id, quarter)
  ), moved AS MATERIALIZED (
    SELECT organization_id, last_at, next_at, sum(number)::integer AS number FROM (
    SELECT organization_id, quarter AS last_at, -1 AS number,
      lead(quarter, 1, 'infinity') OVER (PARTITION BY organization_id, conversation_id ORDER BY quarter) AS next_at
    FROM (
      SELECT organization_id, conversation_id, quarter FROM states WHERE was_active
      UNION SELECT organization_id, conversation_id, '-infinity' FROM states WHERE was_active) AS q UNION ALL 
    SELECT organization_id, quarter AS last_at, 1 AS number,
      lead(quarter, 1, 'infinity') OVER (PARTITION BY organization_id, conversation_id ORDER BY quarter) AS next_at
    FROM (
      SELECT organization_id, conversation_id, quarter FROM states WHERE is_active
      UNION SELECT organization_id, conversation_id, '-infinity' FROM states WHERE is_active) AS q) AS g
    WHERE (last_at AT TIME ZONE 'UTC')::date < (next_at AT TIME ZONE 'UTC')::date GROUP BY 1, 2, 3 HAVING sum(number) <> 0
  ), gaps AS MATERIALIZED (
    SELECT s.*, coalesce(g.conversations, 0) + s.number AS conversations FROM moved AS s
      LEFT JOIN LATERAL (SELECT conversations FROM conversation_gaps AS g WHERE g.organization_id = s.organization_id AND g.last_at = s.last_at AND g.next_at = s.next_at OFFSET 0) AS g ON true
  ), moved_days AS MATERIALIZED (
        SELECT organization_id, (next_at AT TIME ZONE 'UTC')::date AS day, (last_at AT TIME ZONE 'UTC')::date AS last_day, number
        FROM moved WHERE next_at < 'infinity'
  ), days AS MATERIALIZED (
    SELECT organization_id, day, array_agg(last_day ORDER BY last_day) AS last_days,
      array_agg(number ORDER BY last_day) AS conversations
    FROM (
      SELECT organization_id, day, last_day, sum(number)::integer AS number FROM (
        SELECT * FROM moved_days UNION ALL SELECT d.*, u.* FROM (SELECT DISTINCT organization_id, day FROM moved_days) AS d
          CROSS JOIN LATERAL (
            SELECT last_days, conversations FROM conversation_days
            WHERE organization_id = d.organization_id AND day = d.day OFFSET 0
          ) AS o
          CROSS JOIN LATERAL unnest(o.last_days, o.conversations) AS u) AS n
      GROUP BY 1, 2, 3 HAVING sum(number) <> 0
    ) AS s GROUP BY 1, 2
  ), removed_quarters AS (
    DELETE FROM conversation_quarters AS q USING sums AS s WHERE s.messages = 0 AND q.organization_id = s.organization_id AND q.conversation_id = s.conversation_id
      AND q.quarter = s.quarter
  ), stored_quarters AS (
    INSERT INTO conversation_quarters (organization_id, conversation_id, quarter, messages)
    SELECT organization_id, conversation_id, quarter, messages FROM sums WHERE messages <> 0
    ON CONFLICT (organization_id, conversation_id, quarter) DO UPDATE SET messages = excluded.messages
  ), removed_gaps AS (
    DELETE FROM conversation_gaps AS g USING gaps AS s WHERE s.conversations = 0 AND g.organization_id = s.organization_id AND g.last_at = s.last_at AND g.next_at = s.next_at
  ), stored_gaps AS (
    INSERT INTO conversation_gaps (organization_id, last_at, next_at, conversations)
    SELECT organization_id, last_at, next_at, conversations FROM gaps WHERE conversations <> 0
    ON CONFLICT (organization_id, last_at, next_at) DO UPDATE SET conversations = excluded.conversations
  ), removed_days AS (
    DELETE FROM conversation_days AS d USING (
      SELECT organization_id, day FROM moved_days EXCEPT SELECT organization_id, day FROM days
    ) AS e WHERE d.organization_id = e.organization_id AND d.day = e.day
  ), stored_days AS (
    INSERT INTO conversation_days (organization_id, day, last_days, conversations) SELECT * FROM days
    ON CONFLICT (organization_id, day) DO UPDATE SET last_days = excluded.last_days, conversations = excluded.conversations
  )
  SELECT count(*) INTO merged FROM deleted;
  RETURN merged;
END $$;

-- Counts the conversations of an organization: the stored messages without the ones that triggers recorded, in one
-- snapshot. Nothing is merged before all organizations are counted. Returns 0 if none is left.
CREATE FUNCTION build_conversations() RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
  organization uuid;
BEGIN
  DELETE FROM conversation_builds WHERE organization_id = (
    SELECT organization_id FROM conversation_builds ORDER BY organization_id LIMIT 1
  ) RETURNING organization_id INTO organization;
  IF NOT FOUND THEN RETURN 0; END IF;
  INSERT INTO conversation_quarters (organization_id, conversation_id, quarter, messages)
  SELECT organization, conversation_id, quarter, sum(number) FROM (
    SELECT conversation_id, quarter_of(time_of_uuid_v7(id)) AS quarter, 1 AS number FROM messages
    WHERE organization_id = organization AND conversation_id IS NOT NULL
    UNION ALL SELECT conversation_id, quarter, -number FROM conversation_changes WHERE organization_id = organization
  ) AS one GROUP BY 2, 3 HAVING sum(number) <> 0 ORDER BY 2, 3;
  WITH gaps AS (
    INSERT INTO conversation_gaps (organization_id, last_at, next_at, conversations)
    
    SELECT organization_id, last_at, next_at, sum(number)::integer AS number FROM (
    SELECT organization_id, quarter AS last_at, 1 AS number,
      lead(quarter, 1, 'infinity') OVER (PARTITION BY organization_id, conversation_id ORDER BY quarter) AS next_at
    FROM (
      SELECT organization_id, conversation_id, quarter FROM conversation_quarters WHERE organization_id = organization AND messages > 0
      UNION SELECT organization_id, conversation_id, '-infinity' FROM conversation_quarters WHERE organization_id = organization AND messages > 0) AS q) AS g
    WHERE (last_at AT TIME ZONE 'UTC')::date < (next_at AT TIME ZONE 'UTC')::date GROUP BY 1, 2, 3 HAVING sum(number) <> 0
    RETURNING organization_id, last_at, next_at, conversations AS number
  )
  INSERT INTO conversation_days (organization_id, day, last_days, conversations) 
    SELECT organization_id, day, array_agg(last_day ORDER BY last_day) AS last_days,
      array_agg(number ORDER BY last_day) AS conversations
    FROM (
      SELECT organization_id, day, last_day, sum(number)::integer AS number FROM (
        SELECT organization_id, (next_at AT TIME ZONE 'UTC')::date AS day, (last_at AT TIME ZONE 'UTC')::date AS last_day, number
        FROM gaps WHERE next_at < 'infinity') AS n
      GROUP BY 1, 2, 3 HAVING sum(number) <> 0
    ) AS s GROUP BY 1, 2;
  RETURN 1;
END $$;

`
