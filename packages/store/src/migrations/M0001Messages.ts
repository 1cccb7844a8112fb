/**
 * The first schema. The primary key of every tenant-owned table starts with `organization_id`: this separates tenants,
 * and allows the database to be distributed by organization. A comment gives the reason for each index.
 */
export const M0001Messages = /* sql */ `
CREATE TABLE organizations (
  id uuid PRIMARY KEY,
  name text NOT NULL,
  slug text NOT NULL CONSTRAINT organizations_slug_key UNIQUE,
  logo text,
  payment_customer_id text,
  default_currency text NOT NULL DEFAULT 'USD',
  country_code text,
  timezone text NOT NULL DEFAULT 'UTC',
  billing_email text,
  plan text NOT NULL,
  is_active boolean NOT NULL DEFAULT true,
  metadata jsonb NOT NULL DEFAULT '{}',
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL
);

-- Updated once per batch of sends. The free space keeps updates within the page (HOT).
CREATE TABLE organization_usage (
  organization_id uuid PRIMARY KEY REFERENCES organizations (id),
  -- The first day of the UTC month of the monthly counters.
  month date NOT NULL,
  messages_used bigint NOT NULL DEFAULT 0,
  messages_used_this_month bigint NOT NULL DEFAULT 0,
  email_used bigint NOT NULL DEFAULT 0,
  email_used_this_month bigint NOT NULL DEFAULT 0,
  -- The number of rows in messages, including tests: the total of an unfiltered list.
  messages_kept bigint NOT NULL DEFAULT 0
) WITH (fillfactor = 50);

CREATE TABLE api_keys (
  id uuid PRIMARY KEY,
  organization_id uuid REFERENCES organizations (id),
  name text NOT NULL,
  description text,
  role_name text,
  start text NOT NULL,
  -- SHA-256 of the key, in base 16. Unique: authentication finds a key by it.
  hash text NOT NULL CONSTRAINT api_keys_hash_key UNIQUE,
  permissions jsonb NOT NULL,
  is_active boolean NOT NULL DEFAULT true,
  expires_at timestamptz,
  last_used_at timestamptz,
  created_at timestamptz NOT NULL
);

CREATE TABLE email_senders (
  organization_id uuid NOT NULL REFERENCES organizations (id),
  id uuid NOT NULL,
  email text NOT NULL,
  name text NOT NULL,
  reply_to text,
  verification_status text NOT NULL,
  verified_at timestamptz,
  is_default boolean NOT NULL DEFAULT false,
  is_active boolean NOT NULL DEFAULT true,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (organization_id, id)
);
-- A send finds its sender by address, case-insensitive. Addresses are unique in an organization.
CREATE UNIQUE INDEX email_senders_email_key ON email_senders (organization_id, lower(email));
-- At most one default sender per organization.
CREATE UNIQUE INDEX email_senders_default_key ON email_senders (organization_id) WHERE is_default;

CREATE TABLE participants (
  organization_id uuid NOT NULL,
  id uuid NOT NULL,
  name text NOT NULL,
  display_name text,
  type text NOT NULL,
  country text,
  region text,
  metadata jsonb,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (organization_id, id)
);

-- An address belongs to one participant of an organization. Lower case.
CREATE TABLE participant_addresses (
  organization_id uuid NOT NULL,
  kind text NOT NULL,
  address text NOT NULL,
  participant_id uuid NOT NULL,
  PRIMARY KEY (organization_id, kind, address)
);
-- The addresses of a participant.
CREATE INDEX participant_addresses_participant ON participant_addresses (organization_id, participant_id);

-- The immutable part of a message. Ids are UUIDv7 of the time of acceptance: the primary key also orders lists (newest
-- first), so no index on time is needed.
CREATE TABLE messages (
  organization_id uuid NOT NULL,
  id uuid NOT NULL,
  conversation_id uuid,
  thread_id uuid,
  parent_message_id uuid,
  from_participant_id uuid NOT NULL,
  to_participant_ids uuid[] NOT NULL,
  participant_metadata json,
  channel text NOT NULL,
  direction text NOT NULL,
  content json NOT NULL,
  -- EmailMetadata without the deliveries: Message-ID, to, cc, bcc, headers, tags.
  addressing json NOT NULL,
  scheduled_at timestamptz,
  cost text NOT NULL,
  currency text NOT NULL,
  max_retries integer NOT NULL,
  queue_message_id uuid,
  tags text[] NOT NULL,
  categories text[] NOT NULL,
  is_test boolean NOT NULL,
  is_internal boolean NOT NULL,
  is_automated boolean NOT NULL,
  external_id text,
  reference_id text,
  api_key_id uuid,
  http_method text,
  api_request_metadata json,
  attachment_count integer NOT NULL DEFAULT 0,
  trace_parent text,
  created_at timestamptz NOT NULL,
  created_by uuid,
  PRIMARY KEY (organization_id, id)
);
-- The messages of a conversation, in order. Most messages have no conversation.
CREATE INDEX messages_conversation ON messages (organization_id, conversation_id, id) WHERE conversation_id IS NOT NULL;

-- The mutable part of a message. A change of status rewrites this row, not the content.
CREATE TABLE message_states (
  organization_id uuid NOT NULL,
  message_id uuid NOT NULL,
  status text NOT NULL,
  status_history json NOT NULL,
  deliveries json NOT NULL,
  provider text,
  provider_message_id text,
  provider_status text,
  provider_response json,
  sent_at timestamptz,
  delivered_at timestamptz,
  read_at timestamptz,
  failed_at timestamptz,
  retry_count integer NOT NULL,
  max_retries integer NOT NULL,
  delivery_attempts integer NOT NULL,
  last_error text,
  error_details json,
  last_attempt_at timestamptz,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (organization_id, message_id)
) WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.05);
-- Lists by status: without it, finding a few failed messages among a million would read all of them.
CREATE INDEX message_states_status ON message_states (organization_id, status, message_id);

-- The sender and recipients of a message, one row per participant: for lists by participant.
CREATE TABLE message_participants (
  organization_id uuid NOT NULL,
  participant_id uuid NOT NULL,
  message_id uuid NOT NULL,
  PRIMARY KEY (organization_id, participant_id, message_id)
);

CREATE TABLE message_attachments (
  organization_id uuid NOT NULL,
  message_id uuid NOT NULL,
  position integer NOT NULL,
  filename text NOT NULL,
  content_type text NOT NULL,
  content_id text,
  content bytea NOT NULL,
  PRIMARY KEY (organization_id, message_id, position)
);

-- Idempotency keys. The primary key makes concurrent sends with the same key one message.
CREATE TABLE message_claims (
  organization_id uuid NOT NULL,
  key text NOT NULL,
  -- SHA-256 (base 16) of the request.
  fingerprint text NOT NULL,
  message_id uuid NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (organization_id, key)
);
-- Finds expired keys; keys are kept for 30 days.
CREATE INDEX message_claims_created ON message_claims (created_at);

-- The latest message of each content: a send without a key that repeats it within the window returns that message.
CREATE TABLE message_contents (
  organization_id uuid NOT NULL,
  -- SHA-256 (base 16).
  content_hash text NOT NULL,
  message_id uuid NOT NULL,
  accepted_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (organization_id, content_hash)
);
-- Finds rows that are older than the window.
CREATE INDEX message_contents_accepted ON message_contents (accepted_at);

-- Entries that are ready for a worker or leased by one. Narrow, with a high turnover: vacuumed early.
CREATE TABLE message_queue (
  organization_id uuid NOT NULL,
  id uuid NOT NULL,
  message_id uuid NOT NULL,
  ready_at timestamptz NOT NULL,
  due_since timestamptz NOT NULL,
  worker text,
  lease_until timestamptz,
  takeovers integer NOT NULL DEFAULT 0,
  PRIMARY KEY (organization_id, id)
) WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 500, autovacuum_analyze_scale_factor = 0.02);
-- The next ready entry of an organization; and, by skipping from one to the next, all organizations with ready entries.
CREATE INDEX message_queue_ready ON message_queue (organization_id, ready_at, id) WHERE lease_until IS NULL;
-- Expired leases.
CREATE INDEX message_queue_leases ON message_queue (lease_until) WHERE lease_until IS NOT NULL;
-- The entry of a message, which is removed when the message ends or is deleted.
CREATE INDEX message_queue_message ON message_queue (organization_id, message_id);

-- Entries that become ready later: scheduled messages and retries. Separate from the queue, so that a million of them
-- do not slow it.
CREATE TABLE message_waiting (
  organization_id uuid NOT NULL,
  id uuid NOT NULL,
  message_id uuid NOT NULL,
  due_at timestamptz NOT NULL,
  due_since timestamptz NOT NULL,
  takeovers integer NOT NULL DEFAULT 0,
  PRIMARY KEY (organization_id, id)
) WITH (autovacuum_vacuum_scale_factor = 0.05);
-- Due entries.
CREATE INDEX message_waiting_due ON message_waiting (due_at);
-- The entry of a message that is cancelled or deleted.
CREATE INDEX message_waiting_message ON message_waiting (organization_id, message_id);

-- The transactional outbox: every change of state, written in the same transaction.
CREATE TABLE events (
  organization_id uuid NOT NULL,
  id uuid NOT NULL,
  type text NOT NULL,
  -- The message, domain, key… that the event is about.
  subject_id uuid NOT NULL,
  data json NOT NULL,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (organization_id, id)
);

-- Mails of the local mailbox.
CREATE TABLE mailbox_mails (
  id uuid PRIMARY KEY,
  organization_id uuid,
  message_id text NOT NULL,
  mail_from text NOT NULL,
  rcpt_to text[] NOT NULL,
  raw bytea NOT NULL,
  received_at timestamptz NOT NULL
);
-- An organization's mails, newest first.
CREATE INDEX mailbox_mails_organization ON mailbox_mails (organization_id, id);
`
