/** What comes back: mail that is received, and the exchanges that it belongs to. */
export const M0006Receiving = /* sql */ `
-- Whether a caller said who it is. One that mail alone made of an address may still become whoever has that address.
ALTER TABLE participants ADD COLUMN is_given boolean NOT NULL DEFAULT false;

CREATE TABLE conversations (
  organization_id uuid NOT NULL REFERENCES organizations (id),
  id uuid NOT NULL,
  title text,
  description text,
  external_id text,
  parent_conversation_id uuid,
  channels text[] NOT NULL,
  primary_channel text,
  status text NOT NULL,
  status_reason text,
  priority integer NOT NULL,
  urgency text NOT NULL,
  complexity text NOT NULL,
  -- JSON, as the caller wrote it.
  metadata text,
  context text,
  tags text[] NOT NULL,
  categories text[] NOT NULL,
  is_test boolean NOT NULL,
  is_internal boolean NOT NULL,
  is_private boolean NOT NULL,
  started_at timestamptz NOT NULL,
  resolved_at timestamptz,
  archived_at timestamptz,
  resolved_by uuid,
  resolution_type text,
  resolution_notes text,
  created_by uuid,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (organization_id, id),
  FOREIGN KEY (organization_id, parent_conversation_id) REFERENCES conversations (organization_id, id)
);

CREATE TABLE conversation_participants (
  organization_id uuid NOT NULL,
  conversation_id uuid NOT NULL,
  participant_id uuid NOT NULL,
  joined_at timestamptz NOT NULL,
  PRIMARY KEY (organization_id, conversation_id, participant_id),
  FOREIGN KEY (organization_id, conversation_id) REFERENCES conversations (organization_id, id) ON DELETE CASCADE,
  FOREIGN KEY (organization_id, participant_id) REFERENCES participants (organization_id, id)
);
-- The conversations of a participant.
CREATE INDEX conversation_participants_participant ON conversation_participants (organization_id, participant_id);

-- Mails that answer each other. What can be counted is counted from its messages when it is read: threads are short.
CREATE TABLE threads (
  organization_id uuid NOT NULL,
  id uuid NOT NULL,
  conversation_id uuid NOT NULL,
  subject text NOT NULL,
  -- Inbound messages after this one are unread.
  read_up_to uuid,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (organization_id, id),
  FOREIGN KEY (organization_id, conversation_id) REFERENCES conversations (organization_id, id)
);
-- The threads of a conversation: their status is its status.
CREATE INDEX threads_conversation ON threads (organization_id, conversation_id);
-- The messages of a thread, in order. Most messages have none.
CREATE INDEX messages_thread ON messages (organization_id, thread_id, id) WHERE thread_id IS NOT NULL;

-- Addresses at domains that receive. In lower case.
CREATE TABLE receiving_addresses (
  organization_id uuid NOT NULL,
  domain_id uuid NOT NULL,
  address text NOT NULL,
  created_at timestamptz NOT NULL,
  -- Every RCPT asks for its address at the one domain of that name that is verified.
  PRIMARY KEY (organization_id, domain_id, address),
  FOREIGN KEY (organization_id, domain_id) REFERENCES email_domains (organization_id, id) ON DELETE CASCADE
);

-- What becomes of mail to a domain that no address of it takes.
CREATE TABLE catch_alls (
  organization_id uuid NOT NULL,
  domain_id uuid NOT NULL,
  enabled boolean NOT NULL,
  forward_to text[] NOT NULL,
  -- Addresses that are refused all the same. In lower case.
  exclude text[] NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (organization_id, domain_id),
  FOREIGN KEY (organization_id, domain_id) REFERENCES email_domains (organization_id, id) ON DELETE CASCADE
);

-- Mail as it came over SMTP, stored before it is answered with 250. One row for each organization that it is for.
CREATE TABLE inbound_mails (
  organization_id uuid NOT NULL,
  -- Also the id of the message that it becomes, if it becomes one.
  id uuid NOT NULL,
  -- SHA-256 (base 16) of envelope and octets: a repeat of the same mail is the same row.
  fingerprint text NOT NULL,
  mail_from text NOT NULL,
  -- The recipients that this organization takes, each as the address and what it stands for.
  recipients json NOT NULL,
  remote_address text NOT NULL,
  helo text NOT NULL,
  tls boolean NOT NULL,
  size integer NOT NULL,
  -- Null once it has been kept for as long as it is to be kept.
  raw bytea,
  received_at timestamptz NOT NULL,
  -- Null while it waits for a worker.
  processed_at timestamptz,
  -- Why it could not be read; it is kept all the same.
  parse_error text,
  PRIMARY KEY (organization_id, id)
);
CREATE UNIQUE INDEX inbound_mails_fingerprint_key ON inbound_mails (organization_id, fingerprint);
-- The oldest are found by it.
CREATE INDEX inbound_mails_received ON inbound_mails USING brin (received_at);

-- What is ready for a worker, or held by one: of the same form as message_queue.
CREATE TABLE inbound_queue (
  organization_id uuid NOT NULL,
  -- The mail.
  id uuid NOT NULL,
  ready_at timestamptz NOT NULL,
  worker text,
  lease_until timestamptz,
  takeovers integer NOT NULL DEFAULT 0,
  PRIMARY KEY (organization_id, id)
) WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 500, autovacuum_analyze_scale_factor = 0.02);
-- The next ready entry of an organization, and, by skipping from one to the next, the organizations that have any.
CREATE INDEX inbound_queue_ready ON inbound_queue (organization_id, ready_at, id) WHERE lease_until IS NULL;
-- Leases that ran out.
CREATE INDEX inbound_queue_leases ON inbound_queue (lease_until) WHERE lease_until IS NOT NULL;

-- Mail that is looked at again later: news of a message that has not been settled yet, for one.
CREATE TABLE inbound_waiting (
  organization_id uuid NOT NULL,
  id uuid NOT NULL,
  due_at timestamptz NOT NULL,
  takeovers integer NOT NULL DEFAULT 0,
  PRIMARY KEY (organization_id, id)
) WITH (autovacuum_vacuum_scale_factor = 0.05);
-- What is due.
CREATE INDEX inbound_waiting_due ON inbound_waiting (due_at);

-- What a received message is, beside what every message is.
CREATE TABLE inbound_messages (
  organization_id uuid NOT NULL,
  message_id uuid NOT NULL,
  -- The Message-ID header (RFC 5322), empty if there is none.
  rfc_message_id text NOT NULL,
  in_reply_to text[] NOT NULL,
  refers_to text[] NOT NULL,
  headers json NOT NULL,
  size integer NOT NULL,
  -- What SPF, DKIM and DMARC say of it.
  authentication json,
  PRIMARY KEY (organization_id, message_id)
);
-- A later reply names it.
CREATE INDEX inbound_messages_rfc_id ON inbound_messages (organization_id, rfc_message_id);

-- The files of a received message: their contents are objects.
CREATE TABLE inbound_attachments (
  organization_id uuid NOT NULL,
  message_id uuid NOT NULL,
  position integer NOT NULL,
  id uuid NOT NULL,
  filename text NOT NULL,
  content_type text NOT NULL,
  content_id text,
  size integer NOT NULL,
  object_key text NOT NULL,
  PRIMARY KEY (organization_id, message_id, position)
);
`
