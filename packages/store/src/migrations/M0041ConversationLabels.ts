/** The channels and tags of conversations, for lists. A trigger keeps them, also for processes of the previous release. */
export const M0041ConversationLabels = /* sql */ `
CREATE TABLE conversation_labels (
  organization_id uuid NOT NULL,
  -- channel: or tag: and the value.
  label text NOT NULL,
  conversation_id uuid NOT NULL,
  PRIMARY KEY (organization_id, label, conversation_id)
);

CREATE FUNCTION labels_of(channels text[], tags text[]) RETURNS text[] LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT ARRAY(SELECT 'channel:' || unnest(channels) UNION SELECT 'tag:' || unnest(tags))
$$;

CREATE FUNCTION label_conversation() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  labels CONSTANT text[] := labels_of(NEW.channels, NEW.tags);
BEGIN
  IF TG_OP = 'UPDATE' THEN
    DELETE FROM conversation_labels AS l WHERE l.organization_id = NEW.organization_id AND l.conversation_id = NEW.id
      AND l.label = ANY (labels_of(OLD.channels, OLD.tags)) AND l.label <> ALL (labels);
  END IF;
  INSERT INTO conversation_labels (organization_id, label, conversation_id)
  SELECT NEW.organization_id, label, NEW.id FROM unnest(labels) AS label ORDER BY label
  ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;

CREATE TRIGGER conversations_labelled AFTER INSERT ON conversations
  FOR EACH ROW EXECUTE FUNCTION label_conversation();
CREATE TRIGGER conversations_relabelled AFTER UPDATE OF channels, tags ON conversations
  FOR EACH ROW WHEN (OLD.channels <> NEW.channels OR OLD.tags <> NEW.tags) EXECUTE FUNCTION label_conversation();

-- The last conversation that M0042ListIndexes has labelled.
CREATE TABLE conversation_labels_progress (organization_id uuid NOT NULL, conversation_id uuid NOT NULL);
INSERT INTO conversation_labels_progress
VALUES ('00000000-0000-0000-0000-000000000000', '00000000-0000-0000-0000-000000000000');

-- Labels the next conversations in the order of their keys. Returns their number.
CREATE FUNCTION label_older_conversations(number integer) RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
  done conversation_labels_progress;
  labelled conversations;
  rows integer := 0;
BEGIN
  SELECT * INTO done FROM conversation_labels_progress FOR UPDATE;
  -- The lock makes a transaction that changes the labels wait, or waits for it.
  FOR labelled IN SELECT * FROM conversations AS c
    WHERE (c.organization_id, c.id) > (done.organization_id, done.conversation_id)
    ORDER BY c.organization_id, c.id LIMIT number FOR SHARE
  LOOP
    INSERT INTO conversation_labels (organization_id, label, conversation_id)
    SELECT labelled.organization_id, label, labelled.id FROM unnest(labels_of(labelled.channels, labelled.tags)) AS label
    ON CONFLICT DO NOTHING;
    rows := rows + 1;
  END LOOP;
  UPDATE conversation_labels_progress SET organization_id = labelled.organization_id, conversation_id = labelled.id
  WHERE rows > 0;
  RETURN rows;
END $$;
`
