/**
 * Makes `retention_marks` a work list: an organization is read when its next row is due, instead of in every round.
 * Processes of the release before move `done_to` as before.
 */
export const M0043RetentionWorkList = /* sql */ `
-- The organization has no row below this id that is not done, except rows that are inserted late. An index on due times
-- of large tables is not needed.
ALTER TABLE retention_marks ADD COLUMN next_id uuid NOT NULL DEFAULT '00000000-0000-0000-0000-000000000000';
-- Organizations with due rows.
CREATE INDEX retention_marks_next ON retention_marks (kind, next_id);

-- Rows below the mark that could not be erased when they were due, for example the mails of open deliveries.
CREATE TABLE retention_rechecks (
  organization_id uuid NOT NULL,
  kind text NOT NULL,
  -- The message or mail.
  id uuid NOT NULL,
  due_at timestamptz NOT NULL,
  PRIMARY KEY (organization_id, kind, id)
);
-- Rows to check again.
CREATE INDEX retention_rechecks_due ON retention_rechecks (kind, due_at);

-- Processes of the release before insert into retention_postponed until they are replaced; a later migration removes it.
CREATE FUNCTION redirect_postponed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO retention_rechecks (organization_id, kind, id, due_at)
  VALUES (NEW.organization_id, 'bodies', NEW.message_id, now()) ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;
CREATE TRIGGER retention_postponed_redirect BEFORE INSERT ON retention_postponed
  FOR EACH ROW EXECUTE FUNCTION redirect_postponed();
INSERT INTO retention_rechecks (organization_id, kind, id, due_at)
SELECT organization_id, 'bodies', message_id, now() FROM retention_postponed;
DELETE FROM retention_postponed;

CREATE FUNCTION begin_retention() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO retention_marks (organization_id, kind, done_to)
  SELECT id, kind, '00000000-0000-0000-0000-000000000000'
  FROM new_organizations, unnest(ARRAY['bodies', 'inbound_raw', 'forwardings', 'block_logs', 'catch_all_hours']) AS kind
  ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;
CREATE TRIGGER organizations_retention AFTER INSERT ON organizations REFERENCING NEW TABLE AS new_organizations
  FOR EACH STATEMENT EXECUTE FUNCTION begin_retention();
INSERT INTO retention_marks (organization_id, kind, done_to)
SELECT id, kind, '00000000-0000-0000-0000-000000000000'
FROM organizations, unnest(ARRAY['bodies', 'inbound_raw', 'forwardings', 'block_logs', 'catch_all_hours']) AS kind
ON CONFLICT DO NOTHING;
`
