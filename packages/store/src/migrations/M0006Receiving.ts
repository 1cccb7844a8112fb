/** Received mail, with its threads and conversations. */
export const M0006Receiving = /* sql */ `
-- Whether a request created or completed the participant. One that was created from an address in a mail can still be
-- merged into a participant that claims the address.
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
  -- JSON as written by the caller.
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

-- Mails and their replies. Counts are computed on reading: threads are short.
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
-- The threads of a conversation, whose status they share.
CREATE INDEX threads_conversation ON threads (organization_id, conversation_id);
-- The messages of a thread, in order. Most messages have no thread.
CREATE INDEX messages_thread ON messages (organization_id, thread_id, id) WHERE thread_id IS NOT NULL;

-- Addresses of receiving domains. Lower case.
CREATE TABLE receiving_addresses (
  organization_id uuid NOT NULL,
  domain_id uuid NOT NULL,
  address text NOT NULL,
  created_at timestamptz NOT NULL,
  -- Read for every RCPT command, for the one verified domain of that name.
  PRIMARY KEY (organization_id, domain_id, address),
  FOREIGN KEY (organization_id, domain_id) REFERENCES email_domains (organization_id, id) ON DELETE CASCADE
);

-- The handling of mail to addresses of a domain that are not listed.
CREATE TABLE catch_alls (
  organization_id uuid NOT NULL,
  domain_id uuid NOT NULL,
  enabled boolean NOT NULL,
  forward_to text[] NOT NULL,
  -- Addresses that the catch-all refuses. Lower case.
  exclude text[] NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (organization_id, domain_id),
  FOREIGN KEY (organization_id, domain_id) REFERENCES email_domains (organization_id, id) ON DELETE CASCADE
);

-- Mail as received over SMTP, stored before the 250 reply. One row per organization among the recipients.
CREATE TABLE inbound_mails (
  organization_id uuid NOT NULL,
  -- Also the id of the received message, if there is one.
  id uuid NOT NULL,
  -- SHA-256 (base 16) of envelope and octets: a repeated mail has the same fingerprint.
  fingerprint text NOT NULL,
  mail_from text NOT NULL,
  -- The recipients of this organization, with how each address was resolved.
  recipients json NOT NULL,
  remote_address text NOT NULL,
  helo text NOT NULL,
  tls boolean NOT NULL,
  size integer NOT NULL,
  -- NULL after its retention time.
  raw bytea,
  received_at timestamptz NOT NULL,
  -- NULL until a worker has processed the mail.
  processed_at timestamptz,
  -- The reason why the mail could not be parsed. It is stored nevertheless.
  parse_error text,
  PRIMARY KEY (organization_id, id)
);
CREATE UNIQUE INDEX inbound_mails_fingerprint_key ON inbound_mails (organization_id, fingerprint);
-- Finds mails beyond the retention time.
CREATE INDEX inbound_mails_received ON inbound_mails USING brin (received_at);

-- Entries that are ready for a worker or leased by one, in the form of message_queue.
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
-- The next ready entry of an organization; and, by skipping from one to the next, all organizations with ready entries.
CREATE INDEX inbound_queue_ready ON inbound_queue (organization_id, ready_at, id) WHERE lease_until IS NULL;
-- Expired leases.
CREATE INDEX inbound_queue_leases ON inbound_queue (lease_until) WHERE lease_until IS NOT NULL;

-- Mails to process later, such as a bounce of a message that is not settled yet.
CREATE TABLE inbound_waiting (
  organization_id uuid NOT NULL,
  id uuid NOT NULL,
  due_at timestamptz NOT NULL,
  takeovers integer NOT NULL DEFAULT 0,
  PRIMARY KEY (organization_id, id)
) WITH (autovacuum_vacuum_scale_factor = 0.05);
-- Due entries.
CREATE INDEX inbound_waiting_due ON inbound_waiting (due_at);

-- The fields that only received messages have.
CREATE TABLE inbound_messages (
  organization_id uuid NOT NULL,
  message_id uuid NOT NULL,
  -- The Message-ID header (RFC 5322); empty if absent.
  rfc_message_id text NOT NULL,
  in_reply_to text[] NOT NULL,
  refers_to text[] NOT NULL,
  headers json NOT NULL,
  size integer NOT NULL,
  -- The results of SPF, DKIM and DMARC.
  authentication json,
  PRIMARY KEY (organization_id, message_id)
);
-- Finds the message that a reply refers to.
CREATE INDEX inbound_messages_rfc_id ON inbound_messages (organization_id, rfc_message_id);

-- The attachments of a received message. Their contents are in the object store.
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
