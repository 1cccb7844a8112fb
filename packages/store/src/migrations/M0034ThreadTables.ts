/** The sums of threads, so that lists do not read the messages. */
export const M0034ThreadTables = /* sql */ `
-- Every counted thread with messages has a row. Separate from threads: each message of a thread updates it.
CREATE TABLE thread_sums (
  organization_id uuid NOT NULL,
  thread_id uuid NOT NULL,
  -- The status of the thread's conversation: active, resolved or archived.
  status text NOT NULL,
  messages integer NOT NULL,
  -- Received messages after read_up_to of the thread.
  unread integer NOT NULL,
  with_attachments integer NOT NULL,
  -- The messages with the lowest and the highest id.
  first_id uuid NOT NULL,
  first_at timestamptz NOT NULL,
  last_id uuid NOT NULL,
  last_at timestamptz NOT NULL,
  last_direction text NOT NULL,
  PRIMARY KEY (organization_id, thread_id)
) WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.05);
-- Threads by status.
CREATE INDEX thread_sums_status ON thread_sums (organization_id, status, thread_id);

-- The senders and recipients of a thread's messages.
CREATE TABLE thread_participants (
  organization_id uuid NOT NULL,
  participant_id uuid NOT NULL,
  thread_id uuid NOT NULL,
  -- The status of the thread.
  status text NOT NULL,
  -- The messages that name the participant.
  messages integer NOT NULL,
  PRIMARY KEY (organization_id, participant_id, thread_id)
) WITH (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.05);
-- The threads of a participant by status.
CREATE INDEX thread_participants_status ON thread_participants (organization_id, participant_id, status, thread_id);
-- The participants of a thread.
CREATE INDEX thread_participants_thread ON thread_participants (organization_id, thread_id);

-- The number of rows in thread_sums by status.
CREATE TABLE thread_counts (
  organization_id uuid PRIMARY KEY,
  active bigint NOT NULL DEFAULT 0,
  resolved bigint NOT NULL DEFAULT 0,
  archived bigint NOT NULL DEFAULT 0
) WITH (fillfactor = 50);

-- The number of rows in thread_sums by the quarter hour (UTC) in their ids.
CREATE TABLE thread_quarters (
  organization_id uuid NOT NULL,
  quarter timestamptz NOT NULL,
  threads bigint NOT NULL,
  PRIMARY KEY (organization_id, quarter)
) WITH (fillfactor = 70);
`
