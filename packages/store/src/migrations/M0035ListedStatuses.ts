/**
 * The status by which lists find a message, and the number of messages by it. Triggers maintain both: processes of an
 * earlier release write states too.
 */
export const M0035ListedStatuses = /* sql */ `
-- The status; 'open' for pending and processing, so that an update from one to the other changes no index (HOT).
ALTER TABLE message_states ADD COLUMN listed_status text NOT NULL DEFAULT 'open';
-- The rest of a page is for the next versions of its rows: most updates to processing stay within the page.
ALTER TABLE message_states SET (fillfactor = 60);

CREATE FUNCTION listed_status(status text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE WHEN status IN ('pending', 'processing') THEN 'open' ELSE status END
$$;

CREATE FUNCTION set_listed_status() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.listed_status := listed_status(NEW.status);
  RETURN NEW;
END $$;
CREATE TRIGGER message_states_listed BEFORE INSERT OR UPDATE ON message_states FOR EACH ROW
  WHEN (NEW.listed_status <> listed_status(NEW.status)) EXECUTE FUNCTION set_listed_status();

-- The number of messages by kind: a listed status other than 'open', or a channel other than 'email'. These two are the
-- rest of messages_kept.
CREATE TABLE message_totals (
  organization_id uuid NOT NULL,
  kind text NOT NULL,
  messages bigint NOT NULL,
  PRIMARY KEY (organization_id, kind)
) WITH (fillfactor = 50);

-- The newest changes of these numbers. Every statement inserts its own rows, and a job merges them, as for
-- message_count_changes.
CREATE TABLE message_total_changes (
  organization_id uuid NOT NULL,
  kind text NOT NULL,
  messages bigint NOT NULL
) WITH (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 500, autovacuum_analyze_scale_factor = 0.02);
-- Reads of an organization's totals include the rows that are not merged yet.
CREATE INDEX message_total_changes_organization ON message_total_changes (organization_id);

CREATE FUNCTION count_inserted_states() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO message_total_changes (organization_id, kind, messages)
  SELECT organization_id, listed_status, count(*) FROM new_states WHERE listed_status <> 'open' GROUP BY 1, 2;
  RETURN NULL;
END $$;
CREATE FUNCTION count_updated_states() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO message_total_changes (organization_id, kind, messages)
  SELECT organization_id, listed_status, sum(change) FROM (
    SELECT organization_id, listed_status, 1 AS change FROM new_states WHERE listed_status <> 'open'
    UNION ALL SELECT organization_id, listed_status, -1 FROM old_states WHERE listed_status <> 'open'
  ) AS s GROUP BY 1, 2 HAVING sum(change) <> 0;
  RETURN NULL;
END $$;
CREATE FUNCTION count_deleted_states() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO message_total_changes (organization_id, kind, messages)
  SELECT organization_id, listed_status, -count(*) FROM old_states WHERE listed_status <> 'open' GROUP BY 1, 2;
  RETURN NULL;
END $$;
CREATE TRIGGER message_states_inserted_totals AFTER INSERT ON message_states REFERENCING NEW TABLE AS new_states
  FOR EACH STATEMENT EXECUTE FUNCTION count_inserted_states();
CREATE TRIGGER message_states_updated_totals AFTER UPDATE ON message_states
  REFERENCING OLD TABLE AS old_states NEW TABLE AS new_states
  FOR EACH STATEMENT EXECUTE FUNCTION count_updated_states();
CREATE TRIGGER message_states_deleted_totals AFTER DELETE ON message_states REFERENCING OLD TABLE AS old_states
  FOR EACH STATEMENT EXECUTE FUNCTION count_deleted_states();

-- No message of another channel than email exists before this migration.
CREATE FUNCTION count_channel() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO message_total_changes (organization_id, kind, messages) VALUES (NEW.organization_id, NEW.channel, 1);
  ELSE
    INSERT INTO message_total_changes (organization_id, kind, messages) VALUES (OLD.organization_id, OLD.channel, -1);
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER messages_inserted_totals AFTER INSERT ON messages FOR EACH ROW
  WHEN (NEW.channel <> 'email') EXECUTE FUNCTION count_channel();
CREATE TRIGGER messages_deleted_totals AFTER DELETE ON messages FOR EACH ROW
  WHEN (OLD.channel <> 'email') EXECUTE FUNCTION count_channel();

-- The state up to which M0036 has processed older ones.
CREATE TABLE listed_states (organization_id uuid NOT NULL, message_id uuid NOT NULL);
INSERT INTO listed_states VALUES ('00000000-0000-0000-0000-000000000000', '00000000-0000-0000-0000-000000000000');
`
