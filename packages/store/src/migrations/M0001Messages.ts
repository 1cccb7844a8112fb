/**
 * The first schema. Every tenant-owned table carries `organization_id` first in its primary key: that keeps tenants
 * apart, and lets the database be distributed by organization later. Why each index exists stands beside it.
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

-- Written once a batch of accepts. The free space lets every update stay in its page (HOT).
CREATE TABLE organization_usage (
  organization_id uuid PRIMARY KEY REFERENCES organizations (id),
  -- The first day of the UTC month that the monthly counters belong to.
  month date NOT NULL,
  messages_used bigint NOT NULL DEFAULT 0,
  messages_used_this_month bigint NOT NULL DEFAULT 0,
  email_used bigint NOT NULL DEFAULT 0,
  email_used_this_month bigint NOT NULL DEFAULT 0,
  -- Rows in messages, tests included: the total of an unfiltered list.
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
-- A send names its sender by address, whatever its case; an address is one sender.
CREATE UNIQUE INDEX email_senders_email_key ON email_senders (organization_id, lower(email));
-- One default sender an organization.
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

-- One address belongs to one participant of an organization. Addresses are in lower case.
CREATE TABLE participant_addresses (
  organization_id uuid NOT NULL,
  kind text NOT NULL,
  address text NOT NULL,
  participant_id uuid NOT NULL,
  PRIMARY KEY (organization_id, kind, address)
);
-- Shows a participant's addresses.
CREATE INDEX participant_addresses_participant ON participant_addresses (organization_id, participant_id);

-- What never changes about a message. Ids are UUID version 7 of the moment of acceptance: the primary key is also the
-- order of every list (newest first), so that no other index on time is needed.
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
-- The messages of a conversation, in order. Most messages have none.
CREATE INDEX messages_conversation ON messages (organization_id, conversation_id, id) WHERE conversation_id IS NOT NULL;

-- What moves. A change of status rewrites this row alone, not the content.
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
-- Lists by status: without it, the few failed ones among a million would be found by reading them all.
CREATE INDEX message_states_status ON message_states (organization_id, status, message_id);

-- Who a message is from and to, one row a participant: lists by participant.
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

-- Idempotency keys: the primary key is what makes concurrent sends with one key one message.
CREATE TABLE message_claims (
  organization_id uuid NOT NULL,
  key text NOT NULL,
  -- SHA-256 (base 16) of the request.
  fingerprint text NOT NULL,
  message_id uuid NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (organization_id, key)
);
-- Keys are kept 30 days: the oldest are found by it.
CREATE INDEX message_claims_created ON message_claims (created_at);

-- The latest message of each content: a send without a key that repeats it within the window is that message.
CREATE TABLE message_contents (
  organization_id uuid NOT NULL,
  -- SHA-256 (base 16).
  content_hash text NOT NULL,
  message_id uuid NOT NULL,
  accepted_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (organization_id, content_hash)
);
-- Rows older than the window mean nothing: the oldest are found by it.
CREATE INDEX message_contents_accepted ON message_contents (accepted_at);

-- What is ready for a worker, or held by one. Narrow, and emptied as fast as it fills: vacuumed early.
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
-- The next ready entry of an organization, and, by skipping from one to the next, the organizations that have any.
CREATE INDEX message_queue_ready ON message_queue (organization_id, ready_at, id) WHERE lease_until IS NULL;
-- Leases that ran out.
CREATE INDEX message_queue_leases ON message_queue (lease_until) WHERE lease_until IS NOT NULL;
-- A message that is deleted or has ended leaves the queue by its own id.
CREATE INDEX message_queue_message ON message_queue (organization_id, message_id);

-- What waits for its time: scheduled messages and retries. Apart from the queue, so that a million of them cost it nothing.
CREATE TABLE message_waiting (
  organization_id uuid NOT NULL,
  id uuid NOT NULL,
  message_id uuid NOT NULL,
  due_at timestamptz NOT NULL,
  due_since timestamptz NOT NULL,
  takeovers integer NOT NULL DEFAULT 0,
  PRIMARY KEY (organization_id, id)
) WITH (autovacuum_vacuum_scale_factor = 0.05);
-- What is due.
CREATE INDEX message_waiting_due ON message_waiting (due_at);
-- A message that is cancelled or deleted is found by its own id.
CREATE INDEX message_waiting_message ON message_waiting (organization_id, message_id);

-- The outbox: every change of state, written with it.
CREATE TABLE events (
  organization_id uuid NOT NULL,
  id uuid NOT NULL,
  type text NOT NULL,
  -- The message, domain, key… that it is about.
  subject_id uuid NOT NULL,
  data json NOT NULL,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (organization_id, id)
);

-- What the local mailbox got.
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
