/** The tags of messages, for lists. Triggers keep them, also for processes of the previous release. */
export const M0059MessageTags = /* sql */ `
CREATE TABLE message_tags (
  organization_id uuid NOT NULL,
  tag text NOT NULL,
  message_id uuid NOT NULL,
  PRIMARY KEY (organization_id, tag, message_id)
);

CREATE FUNCTION tag_messages() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO message_tags (organization_id, tag, message_id)
  SELECT DISTINCT organization_id, tag, id FROM added CROSS JOIN LATERAL unnest(tags) AS tag
  ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;
CREATE FUNCTION retag_message() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM message_tags
  WHERE organization_id = OLD.organization_id AND tag = ANY (OLD.tags) AND message_id = OLD.id;
  IF TG_OP = 'UPDATE' THEN
    INSERT INTO message_tags (organization_id, tag, message_id)
    SELECT DISTINCT NEW.organization_id, tag, NEW.id FROM unnest(NEW.tags) AS tag;
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER messages_tagged AFTER INSERT ON messages REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION tag_messages();
CREATE TRIGGER messages_retagged AFTER UPDATE OF tags ON messages
  FOR EACH ROW WHEN (OLD.tags <> NEW.tags) EXECUTE FUNCTION retag_message();
CREATE TRIGGER messages_untagged AFTER DELETE ON messages
  FOR EACH ROW WHEN (OLD.tags <> '{}') EXECUTE FUNCTION retag_message();

-- The last message that M0060OlderTags has tagged.
CREATE TABLE message_tags_progress (organization_id uuid NOT NULL, message_id uuid NOT NULL);
INSERT INTO message_tags_progress
VALUES ('00000000-0000-0000-0000-000000000000', '00000000-0000-0000-0000-000000000000');

-- Tags the next messages in the order of their keys. Returns their number, including messages without tags.
CREATE FUNCTION tag_older_messages(number integer) RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
  done message_tags_progress;
  rows integer;
BEGIN
  SELECT * INTO done FROM message_tags_progress FOR UPDATE;
  WITH next AS MATERIALIZED (
    SELECT organization_id, id, tags <> '{}' AS is_tagged FROM messages
    WHERE (organization_id, id) > (done.organization_id, done.message_id)
    ORDER BY organization_id, id LIMIT number
  ), older AS MATERIALIZED (
    -- The lock makes a transaction that deletes a message or changes its tags wait, or waits for it.
    SELECT m.* FROM next AS n CROSS JOIN LATERAL (
      SELECT organization_id, id, tags FROM messages WHERE organization_id = n.organization_id AND id = n.id FOR SHARE
    ) AS m WHERE n.is_tagged
  ), tagged AS (
    INSERT INTO message_tags (organization_id, tag, message_id)
    SELECT DISTINCT organization_id, tag, id FROM older CROSS JOIN LATERAL unnest(tags) AS tag
    ON CONFLICT DO NOTHING
  ), last AS (
    UPDATE message_tags_progress AS p SET organization_id = o.organization_id, message_id = o.id
    FROM (SELECT organization_id, id FROM next ORDER BY organization_id DESC, id DESC LIMIT 1) AS o
  )
  SELECT count(*) INTO rows FROM next;
  RETURN rows;
END $$;
`

/**
 * Tags the messages before `M0059MessageTags`, some at a time. A process of the release before has no index of tags
 * afterwards and tests the rows of the list, until it is replaced.
 */
export const M0060OlderTags = "SELECT number FROM tag_older_messages(5000) AS number WHERE number > 0"
