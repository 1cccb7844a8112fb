/** Conversations and threads. */
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

-- Mails and their replies. A thread exists while it has messages; messages_thread has what it shows of them.
CREATE TABLE threads (
  organization_id uuid NOT NULL, id uuid NOT NULL, conversation_id uuid NOT NULL, subject text NOT NULL,
  -- Inbound messages after this one are unread.
  read_up_to uuid,
  created_at timestamptz NOT NULL, updated_at timestamptz NOT NULL,
  -- That of the conversation: active, resolved or archived.
  status text NOT NULL,
  PRIMARY KEY (organization_id, id),
  FOREIGN KEY (organization_id, conversation_id) REFERENCES conversations (organization_id, id)
) WITH (autovacuum_vacuum_insert_scale_factor = 0.02);
-- Lists of threads by status.
CREATE INDEX threads_status ON threads (organization_id, status, id);
-- The threads of a conversation, whose status they share.
CREATE INDEX threads_conversation ON threads (organization_id, conversation_id);
-- Searches of threads by a part of the subject.
CREATE INDEX threads_search_keys ON threads USING gin (search_key(fold_case(subject)) gin_trgm_ops, organization_id);

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
`
