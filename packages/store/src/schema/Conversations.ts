/** Conversations and threads, with what their lists show and count. */
export const Conversations = /* sql */ `
-- Conversations: messages between participants, over any channel.
CREATE TABLE conversations (
  organization_id uuid NOT NULL REFERENCES organizations (id), id uuid NOT NULL, title text, description text,
  external_id text, parent_conversation_id uuid, channels text[] NOT NULL, primary_channel text, status text NOT NULL,
  status_reason text, priority integer NOT NULL, urgency text NOT NULL, complexity text NOT NULL,
  -- JSON as written by the caller.
  metadata text,
  context text, tags text[] NOT NULL, categories text[] NOT NULL, is_test boolean NOT NULL,
  is_internal boolean NOT NULL, is_private boolean NOT NULL, started_at timestamptz NOT NULL, resolved_at timestamptz, archived_at timestamptz,
  resolved_by uuid, resolution_type text, resolution_notes text, created_by uuid, created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (organization_id, id),
  FOREIGN KEY (organization_id, parent_conversation_id) REFERENCES conversations (organization_id, id)
) WITH (autovacuum_vacuum_insert_scale_factor = 0.02);
-- Lists of conversations by status.
CREATE INDEX conversations_status ON conversations (organization_id, status, id);
-- Lists of conversations by priority.
CREATE INDEX conversations_priority ON conversations (organization_id, priority, id);
-- Searches of conversations by a part of a text.
CREATE INDEX conversations_search_keys
  ON conversations USING gin (search_key(fold_case(title)) gin_trgm_ops,
    search_key(fold_case(description)) gin_trgm_ops, organization_id);

-- The participants of conversations.
CREATE TABLE conversation_participants (
  organization_id uuid NOT NULL, conversation_id uuid NOT NULL, participant_id uuid NOT NULL,
  joined_at timestamptz NOT NULL,
  PRIMARY KEY (organization_id, conversation_id, participant_id),
  FOREIGN KEY (organization_id, conversation_id) REFERENCES conversations (organization_id, id) ON DELETE CASCADE,
  FOREIGN KEY (organization_id, participant_id) REFERENCES participants (organization_id, id)
) WITH (autovacuum_vacuum_insert_scale_factor = 0.02);
-- The conversations of a participant.
CREATE INDEX conversation_participants_conversations
  ON conversation_participants (organization_id, participant_id, conversation_id);

-- The channels and tags of conversations, for lists.
CREATE TABLE conversation_labels (
  organization_id uuid NOT NULL,
  -- channel: or tag: and the value.
  label text NOT NULL,
  conversation_id uuid NOT NULL,
  PRIMARY KEY (organization_id, label, conversation_id)
) WITH (autovacuum_vacuum_insert_scale_factor = 0.02);

-- Mails and their replies.
CREATE TABLE threads (
  organization_id uuid NOT NULL, id uuid NOT NULL, conversation_id uuid NOT NULL, subject text NOT NULL,
  -- Inbound messages after this one are unread.
  read_up_to uuid,
  created_at timestamptz NOT NULL, updated_at timestamptz NOT NULL,
  -- False for a thread whose sums are not counted yet.
  is_counted boolean NOT NULL DEFAULT true,
  PRIMARY KEY (organization_id, id),
  FOREIGN KEY (organization_id, conversation_id) REFERENCES conversations (organization_id, id)
);
-- The threads of a conversation, whose status they share.
CREATE INDEX threads_conversation ON threads (organization_id, conversation_id);
-- Searches of threads by a part of the subject.
CREATE INDEX threads_search_keys ON threads USING gin (search_key(fold_case(subject)) gin_trgm_ops, organization_id);

-- Every counted thread with messages has a row. Separate from threads: each message of a thread updates it.
CREATE TABLE thread_sums (
  organization_id uuid NOT NULL, thread_id uuid NOT NULL,
  -- The status of the thread's conversation: active, resolved or archived.
  status text NOT NULL,
  messages integer NOT NULL,
  -- Received messages after read_up_to of the thread.
  unread integer NOT NULL,
  with_attachments integer NOT NULL,
  -- The messages with the lowest and the highest id.
  first_id uuid NOT NULL,
  first_at timestamptz NOT NULL, last_id uuid NOT NULL, last_at timestamptz NOT NULL, last_direction text NOT NULL,
  PRIMARY KEY (organization_id, thread_id)
) WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_insert_scale_factor = 0.02);
-- Threads by status.
CREATE INDEX thread_sums_status ON thread_sums (organization_id, status, thread_id);

-- The senders and recipients of a thread's messages.
CREATE TABLE thread_participants (
  organization_id uuid NOT NULL, participant_id uuid NOT NULL, thread_id uuid NOT NULL,
  -- The status of the thread.
  status text NOT NULL,
  -- The messages that name the participant.
  messages integer NOT NULL,
  PRIMARY KEY (organization_id, participant_id, thread_id)
) WITH (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_insert_scale_factor = 0.02);
-- The threads of a participant by status.
CREATE INDEX thread_participants_status ON thread_participants (organization_id, participant_id, status, thread_id);
-- The participants of a thread.
CREATE INDEX thread_participants_thread ON thread_participants (organization_id, thread_id);

-- The number of rows in thread_sums by status.
CREATE TABLE thread_counts (
  organization_id uuid PRIMARY KEY, active bigint NOT NULL DEFAULT 0, resolved bigint NOT NULL DEFAULT 0,
  archived bigint NOT NULL DEFAULT 0
) WITH (fillfactor = 50);

-- The number of rows in thread_sums by the quarter hour (UTC) in their ids.
CREATE TABLE thread_quarters (
  organization_id uuid NOT NULL, quarter timestamptz NOT NULL, threads bigint NOT NULL,
  PRIMARY KEY (organization_id, quarter)
) WITH (fillfactor = 70);

-- WhatsApp customer service windows, one per participant.
CREATE TABLE whatsapp_service_windows (
  organization_id uuid NOT NULL, id uuid NOT NULL, participant_id uuid NOT NULL, expires_at timestamptz NOT NULL,
  -- The free entry point that was activated last.
  entry_point_source text,
  entry_point_expires_at timestamptz, created_at timestamptz NOT NULL,
  PRIMARY KEY (organization_id, id),
  CONSTRAINT whatsapp_service_windows_participant_fkey
    FOREIGN KEY (organization_id, participant_id) REFERENCES participants (organization_id, id) ON DELETE CASCADE
);
-- A participant has one window.
CREATE UNIQUE INDEX whatsapp_service_windows_participant_key
  ON whatsapp_service_windows (organization_id, participant_id);

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

-- The status of the threads of a conversation: waiting and snoozed count as active.
CREATE FUNCTION thread_status(conversation_status text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE WHEN conversation_status IN ('resolved', 'archived') THEN conversation_status ELSE 'active' END
$$;

-- Opens or extends a window by 24 hours; it never becomes shorter.
CREATE FUNCTION open_service_window(organization uuid, participant uuid, new_id uuid, at timestamptz)
RETURNS SETOF whatsapp_service_windows LANGUAGE sql AS $$
  INSERT INTO whatsapp_service_windows AS w (organization_id, id, participant_id, expires_at, created_at)
  VALUES (organization, new_id, participant, at + interval '24 hours', at)
  ON CONFLICT (organization_id, participant_id) DO UPDATE SET expires_at = greatest(w.expires_at, excluded.expires_at)
  RETURNING w.*
$$;

-- Storing an inbound WhatsApp message opens the window of its sender in the same transaction. A new window has the
-- message's id, and so sorts by the same time.
CREATE FUNCTION open_window_of_sender() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM open_service_window(NEW.organization_id, NEW.from_participant_id, NEW.id, NEW.created_at);
  RETURN NULL;
END $$;
CREATE TRIGGER messages_service_window AFTER INSERT ON messages FOR EACH ROW
  WHEN (NEW.channel = 'whatsapp' AND NEW.direction = 'inbound') EXECUTE FUNCTION open_window_of_sender();

-- Adds threads of a status, and of the quarter hour of an id, to the counts of an organization.
CREATE FUNCTION add_threads(organization uuid, of_status text, number bigint) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO thread_counts AS c (organization_id, active, resolved, archived)
  SELECT organization, number * (of_status = 'active')::int, number * (of_status = 'resolved')::int,
    number * (of_status = 'archived')::int
  ON CONFLICT (organization_id) DO UPDATE SET active = c.active + excluded.active,
    resolved = c.resolved + excluded.resolved, archived = c.archived + excluded.archived;
END $$;

CREATE FUNCTION add_thread_quarter(organization uuid, begun timestamptz, number bigint) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO thread_quarters AS q (organization_id, quarter, threads) VALUES (organization, begun, number)
  ON CONFLICT (organization_id, quarter) DO UPDATE SET threads = q.threads + excluded.threads;
END $$;

-- Locks the sums of a thread. False if the thread is counted later, with the caller's message.
CREATE FUNCTION lock_thread(organization uuid, thread uuid) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM thread_sums AS s WHERE s.organization_id = organization AND s.thread_id = thread FOR NO KEY UPDATE;
  IF FOUND THEN RETURN true; END IF;
  -- Waits if the thread is being counted, or makes the count wait.
  PERFORM FROM threads AS t WHERE t.organization_id = organization AND t.id = thread AND NOT t.is_counted
    FOR KEY SHARE;
  IF NOT FOUND THEN RETURN true; END IF;
  PERFORM FROM thread_sums AS s WHERE s.organization_id = organization AND s.thread_id = thread FOR NO KEY UPDATE;
  RETURN FOUND;
END $$;

-- Adds a number to the messages that name participants of a thread. The row of a participant ends with its last
-- message.
CREATE FUNCTION add_thread_participants(organization uuid, thread uuid, participants uuid[], number integer)
RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO thread_participants AS p (organization_id, participant_id, thread_id, status, messages)
  SELECT s.organization_id, g.id, s.thread_id, s.status, number
  FROM (SELECT DISTINCT unnest(participants) AS id) AS g, thread_sums AS s
  WHERE s.organization_id = organization AND s.thread_id = thread
  ON CONFLICT (organization_id, participant_id, thread_id) DO UPDATE SET messages = p.messages + excluded.messages;
  IF number > 0 THEN RETURN; END IF;
  DELETE FROM thread_participants AS p WHERE p.organization_id = organization AND p.participant_id = ANY (participants)
    AND p.thread_id = thread AND p.messages <= 0;
END $$;

-- Whether a message of a thread is received and not read.
CREATE FUNCTION is_unread(m messages) RETURNS boolean LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN m.direction = 'inbound' AND NOT EXISTS (SELECT FROM threads AS t
    WHERE t.organization_id = m.organization_id AND t.id = m.thread_id AND t.read_up_to >= m.id);
END $$;

CREATE FUNCTION add_to_thread(m messages) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  is_new boolean;
BEGIN
  IF NOT lock_thread(m.organization_id, m.thread_id) THEN RETURN; END IF;
  -- The lock of the conversation makes this transaction and one that changes its status wait for each other.
  INSERT INTO thread_sums (organization_id, thread_id, status, messages, unread, with_attachments, first_id, first_at,
    last_id, last_at, last_direction)
  SELECT t.organization_id, t.id, thread_status(c.status), 0, 0, 0, m.id, m.created_at, m.id, m.created_at, m.direction
  FROM threads AS t JOIN conversations AS c ON c.organization_id = t.organization_id AND c.id = t.conversation_id
  WHERE t.organization_id = m.organization_id AND t.id = m.thread_id AND NOT EXISTS (
    SELECT FROM thread_sums AS s WHERE s.organization_id = t.organization_id AND s.thread_id = t.id
  ) FOR SHARE OF c
  ON CONFLICT DO NOTHING;
  is_new := FOUND;
  UPDATE thread_sums AS s SET messages = messages + 1, unread = unread + is_unread(m)::int,
    with_attachments = with_attachments + (m.attachment_count > 0)::int,
    first_id = least(first_id, m.id), first_at = CASE WHEN m.id < first_id THEN m.created_at ELSE first_at END,
    last_id = greatest(last_id, m.id), last_at = CASE WHEN m.id > last_id THEN m.created_at ELSE last_at END,
    last_direction = CASE WHEN m.id > last_id THEN m.direction ELSE last_direction END
  WHERE s.organization_id = m.organization_id AND s.thread_id = m.thread_id;
  PERFORM add_thread_participants(m.organization_id, m.thread_id, m.from_participant_id || m.to_participant_ids, 1);
  IF is_new THEN
    PERFORM add_threads(s.organization_id, s.status, 1) FROM thread_sums AS s
      WHERE s.organization_id = m.organization_id AND s.thread_id = m.thread_id;
    PERFORM add_thread_quarter(m.organization_id, quarter_of(time_of_uuid_v7(m.thread_id)), 1);
  END IF;
END $$;

CREATE FUNCTION remove_from_thread(m messages) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  s thread_sums;
BEGIN
  IF NOT lock_thread(m.organization_id, m.thread_id) THEN RETURN; END IF;
  PERFORM add_thread_participants(m.organization_id, m.thread_id, m.from_participant_id || m.to_participant_ids, -1);
  UPDATE thread_sums AS t SET messages = messages - 1, unread = unread - is_unread(m)::int,
    with_attachments = with_attachments - (m.attachment_count > 0)::int
  WHERE t.organization_id = m.organization_id AND t.thread_id = m.thread_id RETURNING * INTO s;
  IF NOT FOUND THEN RETURN; END IF;
  IF s.messages = 0 THEN
    DELETE FROM thread_sums AS t WHERE t.organization_id = m.organization_id AND t.thread_id = m.thread_id;
    PERFORM add_threads(s.organization_id, s.status, -1);
    PERFORM add_thread_quarter(s.organization_id, quarter_of(time_of_uuid_v7(s.thread_id)), -1);
  ELSIF m.id IN (s.first_id, s.last_id) THEN
    UPDATE thread_sums AS t SET first_id = f.id, first_at = f.created_at, last_id = l.id, last_at = l.created_at,
      last_direction = l.direction
    FROM (SELECT o.id, o.created_at FROM messages AS o
        WHERE o.organization_id = m.organization_id AND o.thread_id = m.thread_id ORDER BY o.id LIMIT 1) AS f,
      (SELECT o.id, o.created_at, o.direction FROM messages AS o
        WHERE o.organization_id = m.organization_id AND o.thread_id = m.thread_id ORDER BY o.id DESC LIMIT 1) AS l
    WHERE t.organization_id = m.organization_id AND t.thread_id = m.thread_id;
  END IF;
END $$;

-- A message that stays in its thread can lose recipients and attachments.
CREATE FUNCTION change_in_thread(o messages, n messages) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  earlier uuid[] := o.from_participant_id || o.to_participant_ids;
  later uuid[] := n.from_participant_id || n.to_participant_ids;
BEGIN
  IF NOT lock_thread(n.organization_id, n.thread_id) THEN RETURN; END IF;
  UPDATE thread_sums AS s SET
    with_attachments = with_attachments + (n.attachment_count > 0)::int - (o.attachment_count > 0)::int
  WHERE s.organization_id = n.organization_id AND s.thread_id = n.thread_id;
  PERFORM add_thread_participants(n.organization_id, n.thread_id, ARRAY(SELECT unnest(later) EXCEPT SELECT unnest(earlier)), 1);
  PERFORM add_thread_participants(n.organization_id, n.thread_id, ARRAY(SELECT unnest(earlier) EXCEPT SELECT unnest(later)), -1);
END $$;

CREATE FUNCTION sum_thread() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' AND OLD.thread_id = NEW.thread_id THEN
    PERFORM change_in_thread(OLD, NEW);
    RETURN NULL;
  END IF;
  IF TG_OP <> 'INSERT' AND OLD.thread_id IS NOT NULL THEN PERFORM remove_from_thread(OLD); END IF;
  IF TG_OP <> 'DELETE' AND NEW.thread_id IS NOT NULL THEN PERFORM add_to_thread(NEW); END IF;
  RETURN NULL;
END $$;
CREATE CONSTRAINT TRIGGER messages_thread_added AFTER INSERT ON messages DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW WHEN (NEW.thread_id IS NOT NULL) EXECUTE FUNCTION sum_thread();
CREATE CONSTRAINT TRIGGER messages_thread_changed AFTER UPDATE OF thread_id, attachment_count, from_participant_id,
  to_participant_ids ON messages DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW WHEN (OLD.thread_id IS DISTINCT FROM NEW.thread_id OR NEW.thread_id IS NOT NULL AND (
    (OLD.attachment_count > 0) <> (NEW.attachment_count > 0) OR OLD.from_participant_id <> NEW.from_participant_id
    OR OLD.to_participant_ids <> NEW.to_participant_ids)) EXECUTE FUNCTION sum_thread();
CREATE CONSTRAINT TRIGGER messages_thread_removed AFTER DELETE ON messages DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW WHEN (OLD.thread_id IS NOT NULL) EXECUTE FUNCTION sum_thread();

-- Counts the unread messages again when the limit moves. The message that moved it back is counted before.
CREATE FUNCTION count_unread() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT lock_thread(NEW.organization_id, NEW.id) THEN RETURN NULL; END IF;
  UPDATE thread_sums AS s SET unread = (
    SELECT count(*) FROM messages AS m JOIN threads AS t ON t.organization_id = m.organization_id AND t.id = m.thread_id
    WHERE m.organization_id = NEW.organization_id AND m.thread_id = NEW.id AND m.direction = 'inbound'
      AND (t.read_up_to IS NULL OR m.id > t.read_up_to))
  WHERE s.organization_id = NEW.organization_id AND s.thread_id = NEW.id;
  RETURN NULL;
END $$;
CREATE CONSTRAINT TRIGGER threads_read AFTER UPDATE OF read_up_to ON threads DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW WHEN (OLD.read_up_to IS DISTINCT FROM NEW.read_up_to) EXECUTE FUNCTION count_unread();

CREATE FUNCTION change_thread_status() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  old_status CONSTANT text := thread_status(OLD.status);
  new_status CONSTANT text := thread_status(NEW.status);
  changed bigint;
BEGIN
  IF old_status = new_status THEN RETURN NULL; END IF;
  -- Waits for the count of older threads.
  PERFORM FROM threads AS t WHERE t.organization_id = NEW.organization_id AND t.conversation_id = NEW.id
    ORDER BY t.id FOR KEY SHARE;
  PERFORM FROM thread_sums AS s JOIN threads AS t ON t.organization_id = s.organization_id AND t.id = s.thread_id
    WHERE t.organization_id = NEW.organization_id AND t.conversation_id = NEW.id
    ORDER BY s.thread_id FOR NO KEY UPDATE OF s;
  UPDATE thread_participants AS p SET status = new_status FROM threads AS t
    WHERE t.organization_id = NEW.organization_id AND t.conversation_id = NEW.id
      AND p.organization_id = t.organization_id AND p.thread_id = t.id;
  UPDATE thread_sums AS s SET status = new_status FROM threads AS t
    WHERE t.organization_id = NEW.organization_id AND t.conversation_id = NEW.id
      AND s.organization_id = t.organization_id AND s.thread_id = t.id AND s.status <> new_status;
  GET DIAGNOSTICS changed = ROW_COUNT;
  IF changed = 0 THEN RETURN NULL; END IF;
  PERFORM add_threads(NEW.organization_id, old_status, -changed);
  PERFORM add_threads(NEW.organization_id, new_status, changed);
  RETURN NULL;
END $$;
CREATE CONSTRAINT TRIGGER conversations_thread_status AFTER UPDATE OF status ON conversations
  DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW WHEN (OLD.status <> NEW.status) EXECUTE FUNCTION change_thread_status();
`
