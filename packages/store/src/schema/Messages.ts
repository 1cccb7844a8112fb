/** Messages with their states, drafts, attachments, and the local mailbox. */
export const Messages = /* sql */ `
-- The immutable part of a message. Ids are UUIDv7 of the time of acceptance: the primary key also orders lists (newest
-- first), so no index on time is needed.
CREATE TABLE messages (
  organization_id uuid NOT NULL, id uuid NOT NULL, conversation_id uuid, thread_id uuid, parent_message_id uuid,
  from_participant_id uuid NOT NULL, to_participant_ids uuid[] NOT NULL, participant_metadata json,
  channel text NOT NULL, direction text NOT NULL, content json NOT NULL,
  -- EmailMetadata without the deliveries: Message-ID, to, cc, bcc, headers, tags.
  addressing json NOT NULL,
  scheduled_at timestamptz, cost text NOT NULL, currency text NOT NULL, max_retries integer NOT NULL,
  queue_message_id uuid, tags text[] NOT NULL, categories text[] NOT NULL, is_test boolean NOT NULL,
  is_internal boolean NOT NULL, is_automated boolean NOT NULL, external_id text, reference_id text, api_key_id uuid,
  http_method text, api_request_metadata json, attachment_count integer NOT NULL DEFAULT 0, trace_parent text,
  created_at timestamptz NOT NULL, created_by uuid, track_opens boolean NOT NULL DEFAULT false, subject_line text,
  track_clicks boolean NOT NULL DEFAULT false,
  PRIMARY KEY (organization_id, id)
) WITH (autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_vacuum_scale_factor = 0.05);
-- The messages of a conversation, in order, and the conversations of a long range. Most messages have no conversation.
CREATE INDEX messages_conversation ON messages (organization_id, conversation_id, id) WHERE conversation_id IS NOT NULL;
-- The messages of a thread, in order, with all columns that a thread shows. Most messages have no thread.
CREATE INDEX messages_thread ON messages (organization_id, thread_id, id)
  INCLUDE (direction, created_at, attachment_count, from_participant_id, to_participant_ids)
  WHERE thread_id IS NOT NULL;
-- Participants and conversations of a range of messages, without reading contents. A count by participant would have
-- about as many rows as there are messages.
CREATE INDEX messages_parties
  ON messages (organization_id, id) INCLUDE (direction, conversation_id, from_participant_id, to_participant_ids);
-- Lists of messages by channel.
CREATE INDEX messages_channel ON messages (organization_id, channel, id);
-- Lists of messages by the caller's id.
CREATE INDEX messages_external_id ON messages (organization_id, external_id, id) WHERE external_id IS NOT NULL;
-- Lists of messages by the caller's reference.
CREATE INDEX messages_reference_id ON messages (organization_id, reference_id, id) WHERE reference_id IS NOT NULL;
-- Finds the submitted mail that a reply refers to.
CREATE INDEX messages_submitted_id ON messages (organization_id, (addressing ->> 'messageId'))
  WHERE addressing ->> 'submitted' IS NOT NULL;
-- Searches of messages by a part of a text.
CREATE INDEX messages_search_keys
  ON messages USING gin (search_key(fold_case(message_texts(subject_line, content, addressing, external_id,
    reference_id, direction))) gin_trgm_ops, organization_id);

-- The mutable part of a message. A change of status rewrites this row, not the content.
CREATE TABLE message_states (
  organization_id uuid NOT NULL, message_id uuid NOT NULL, status text NOT NULL, status_history json NOT NULL,
  deliveries json NOT NULL, provider text, provider_message_id text, provider_status text, provider_response json,
  sent_at timestamptz, delivered_at timestamptz, read_at timestamptz, failed_at timestamptz,
  retry_count integer NOT NULL, max_retries integer NOT NULL, delivery_attempts integer NOT NULL, last_error text,
  error_details json, last_attempt_at timestamptz, updated_at timestamptz NOT NULL,
  -- The status; 'open' for pending and processing, so that an update from one to the other changes no index (HOT).
  listed_status text NOT NULL
    GENERATED ALWAYS AS (CASE WHEN status IN ('pending', 'processing') THEN 'open' ELSE status END) STORED,
  -- The first clicks of tracked links; NULL without any.
  clicks json,
  PRIMARY KEY (organization_id, message_id)
) WITH (autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_insert_scale_factor = 0.02);
-- Lists of messages by status.
CREATE INDEX message_states_listed ON message_states (organization_id, listed_status, message_id);

-- The sender and recipients of a message, one row per participant: for lists by participant.
CREATE TABLE message_participants (
  organization_id uuid NOT NULL, participant_id uuid NOT NULL, message_id uuid NOT NULL,
  -- The thread of the message.
  thread_id uuid,
  PRIMARY KEY (organization_id, participant_id, message_id)
) WITH (autovacuum_vacuum_insert_scale_factor = 0.02);
-- The threads of a participant.
CREATE INDEX message_participants_thread ON message_participants (organization_id, participant_id, thread_id)
  WHERE thread_id IS NOT NULL;

-- The tags of messages, for lists.
CREATE TABLE message_tags (
  organization_id uuid NOT NULL, tag text NOT NULL, message_id uuid NOT NULL,
  PRIMARY KEY (organization_id, tag, message_id)
) WITH (autovacuum_vacuum_insert_scale_factor = 0.02);

-- The attachments of sent messages, with their contents.
CREATE TABLE message_attachments (
  organization_id uuid NOT NULL, message_id uuid NOT NULL, position integer NOT NULL, filename text NOT NULL,
  content_type text NOT NULL, content_id text, content bytea NOT NULL,
  PRIMARY KEY (organization_id, message_id, position)
);
-- Contents are read in parts: PostgreSQL reads a part of an uncompressed value only. Most are compressed files.
ALTER TABLE message_attachments ALTER COLUMN content SET STORAGE EXTERNAL;

-- Idempotency keys. The primary key makes concurrent sends with the same key one message.
CREATE TABLE message_claims (
  organization_id uuid NOT NULL, key text NOT NULL,
  -- SHA-256 (base 16) of the request.
  fingerprint text NOT NULL,
  message_id uuid NOT NULL, created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (organization_id, key)
);
-- Finds expired keys; keys are kept for 30 days.
CREATE INDEX message_claims_created ON message_claims (created_at);

-- The latest message of each content: a send without a key that repeats it within the window returns that message.
CREATE TABLE message_contents (
  organization_id uuid NOT NULL,
  -- SHA-256 (base 16).
  content_hash text NOT NULL,
  message_id uuid NOT NULL, accepted_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (organization_id, content_hash)
);
-- Finds rows that are older than the window.
CREATE INDEX message_contents_accepted ON message_contents (accepted_at);

-- The facts of deleted messages that their events are counted by.
CREATE TABLE deleted_messages (
  organization_id uuid NOT NULL, id uuid NOT NULL, channel text, direction text, cost text, created_at timestamptz,
  was_sent boolean, conversation_id uuid, from_participant_id uuid, to_participant_ids uuid[], last_status text,
  PRIMARY KEY (organization_id, id)
);

-- Mails of the local mailbox.
CREATE TABLE mailbox_mails (
  id uuid PRIMARY KEY, organization_id uuid, message_id text NOT NULL, mail_from text NOT NULL, rcpt_to text[] NOT NULL,
  raw bytea NOT NULL, received_at timestamptz NOT NULL
);
-- An organization's mails, newest first.
CREATE INDEX mailbox_mails_organization ON mailbox_mails (organization_id, id);

-- Drafts of messages.
CREATE TABLE drafts (
  organization_id uuid NOT NULL REFERENCES organizations (id), id uuid NOT NULL, channel text NOT NULL,
  recipients json NOT NULL, content json NOT NULL, title text,
  -- The message that it was sent as. The idempotency record has the id first, and expires earlier.
  sent_message_id uuid,
  -- The request that sends the draft holds it until then.
  held_until timestamptz,
  last_edited_at timestamptz NOT NULL, created_at timestamptz NOT NULL, created_by uuid,
  -- The message that an e-mail replies to. It can be deleted before the draft is sent.
  in_reply_to_message_id uuid,
  PRIMARY KEY (organization_id, id)
);
-- Drafts that are being sent, or whose send was interrupted.
CREATE INDEX drafts_held ON drafts (held_until) WHERE held_until IS NOT NULL;

-- Attachments of drafts. Their contents are in the object store.
CREATE TABLE attachments (
  organization_id uuid NOT NULL REFERENCES organizations (id), id uuid NOT NULL, filename text NOT NULL,
  content_type text NOT NULL, size integer NOT NULL,
  -- The expiry of an unused attachment; NULL while a draft links it.
  expires_at timestamptz,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (organization_id, id)
);
-- Expired attachments.
CREATE INDEX attachments_expiring ON attachments (expires_at) WHERE expires_at IS NOT NULL;

-- The attachments that drafts link.
CREATE TABLE draft_attachments (
  organization_id uuid NOT NULL, draft_id uuid NOT NULL, attachment_id uuid NOT NULL,
  PRIMARY KEY (organization_id, draft_id, attachment_id),
  FOREIGN KEY (organization_id, draft_id) REFERENCES drafts (organization_id, id),
  FOREIGN KEY (organization_id, attachment_id) REFERENCES attachments (organization_id, id)
);
-- Whether a draft links an attachment.
CREATE INDEX draft_attachments_attachment ON draft_attachments (organization_id, attachment_id);
`
