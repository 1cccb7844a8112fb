/**
 * Triggers keep the tables of `M0034ThreadTables` right, also for processes of the previous release. They run at the end
 * of a transaction: the lock of a thread is held only during the commit, and is the last lock of every transaction,
 * followed only by the lock of the organization's counts.
 */
export const M0039ThreadSums = /* sql */ `
-- False for the threads before this migration, which M0040OlderThreads counts.
ALTER TABLE threads ADD COLUMN is_counted boolean NOT NULL DEFAULT false;
ALTER TABLE threads ALTER COLUMN is_counted SET DEFAULT true;

-- The status of the threads of a conversation: waiting and snoozed count as active.
CREATE FUNCTION thread_status(conversation_status text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE WHEN conversation_status IN ('resolved', 'archived') THEN conversation_status ELSE 'active' END
$$;

-- The time in a UUIDv7, which PostgreSQL can read only since version 18.
CREATE FUNCTION time_of_uuid_v7(id uuid) RETURNS timestamptz LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT to_timestamp(('x' || translate(left(id::text, 13), '-', ''))::bit(48)::bigint / 1000.0)
$$;

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

-- Locks the sums of a thread. False if M0040OlderThreads counts the thread later, with the caller's message.
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

-- Adds a number to the messages that name participants of a thread. The row of a participant ends with its last message.
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

-- The last thread that M0040OlderThreads has counted.
CREATE TABLE thread_sums_progress (organization_id uuid NOT NULL, thread_id uuid NOT NULL);
INSERT INTO thread_sums_progress VALUES ('00000000-0000-0000-0000-000000000000', '00000000-0000-0000-0000-000000000000');

-- Counts the next threads in the order of their keys. Returns their number.
CREATE FUNCTION sum_older_threads(number integer) RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
  done thread_sums_progress;
  organizations uuid[];
  ids uuid[];
BEGIN
  SELECT * INTO done FROM thread_sums_progress FOR UPDATE;
  -- The locks make transactions that change these threads wait, or wait for them.
  SELECT array_agg(g.organization_id), array_agg(g.id) INTO organizations, ids FROM (
    SELECT t.organization_id, t.id FROM threads AS t
    WHERE (t.organization_id, t.id) > (done.organization_id, done.thread_id)
    ORDER BY t.organization_id, t.id LIMIT number FOR UPDATE
  ) AS g;
  IF ids IS NULL THEN RETURN 0; END IF;
  WITH older AS MATERIALIZED (
    SELECT t.*, thread_status(c.status) AS status FROM unnest(organizations, ids) AS g(organization_id, id)
      JOIN threads AS t ON t.organization_id = g.organization_id AND t.id = g.id
      JOIN conversations AS c ON c.organization_id = t.organization_id AND c.id = t.conversation_id
    WHERE NOT t.is_counted
  ), sums AS MATERIALIZED (
    INSERT INTO thread_sums (organization_id, thread_id, status, messages, unread, with_attachments, first_id, first_at,
      last_id, last_at, last_direction)
    SELECT o.organization_id, o.id, o.status, m.* FROM older AS o CROSS JOIN LATERAL (
      SELECT count(*), count(*) FILTER (WHERE direction = 'inbound' AND (o.read_up_to IS NULL OR id > o.read_up_to)),
        count(*) FILTER (WHERE attachment_count > 0), (array_agg(id ORDER BY id))[1],
        (array_agg(created_at ORDER BY id))[1], (array_agg(id ORDER BY id DESC))[1],
        (array_agg(created_at ORDER BY id DESC))[1], (array_agg(direction ORDER BY id DESC))[1]
      FROM messages WHERE organization_id = o.organization_id AND thread_id = o.id HAVING count(*) > 0
    ) AS m
    RETURNING organization_id, thread_id, status
  ), participants AS (
    INSERT INTO thread_participants (organization_id, participant_id, thread_id, status, messages)
    SELECT s.organization_id, p.id, s.thread_id, s.status, count(*) FROM sums AS s
      JOIN messages AS m ON m.organization_id = s.organization_id AND m.thread_id = s.thread_id
      CROSS JOIN LATERAL (SELECT DISTINCT unnest(m.from_participant_id || m.to_participant_ids) AS id) AS p
    GROUP BY 1, 2, 3, 4
  ), counted AS (
    SELECT add_threads(organization_id, status, count(*)) FROM sums GROUP BY organization_id, status
    ORDER BY organization_id, status
  ), quarters AS (
    SELECT add_thread_quarter(organization_id, quarter, count(*))
    FROM (SELECT organization_id, quarter_of(time_of_uuid_v7(thread_id)) AS quarter FROM sums) AS q
    GROUP BY organization_id, quarter ORDER BY organization_id, quarter
  )
  UPDATE thread_sums_progress SET organization_id = organizations[array_upper(ids, 1)],
    thread_id = ids[array_upper(ids, 1)]
  WHERE (SELECT count(*) FROM counted) + (SELECT count(*) FROM quarters) >= 0;
  RETURN array_length(ids, 1);
END $$;
`
