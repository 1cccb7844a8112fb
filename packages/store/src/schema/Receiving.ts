/** Received mail and its forwarding. */
export const Receiving = /* sql */ `
-- Addresses of receiving domains, in lower case. Every RCPT command reads the key, for the one verified domain of that
-- name.
CREATE TABLE receiving_addresses (
  organization_id uuid NOT NULL, domain_id uuid NOT NULL, address text NOT NULL, created_at timestamptz NOT NULL,
  PRIMARY KEY (organization_id, domain_id, address),
  FOREIGN KEY (organization_id, domain_id) REFERENCES email_domains (organization_id, id) ON DELETE CASCADE
);

-- The handling of mail to addresses of a domain that are not listed.
CREATE TABLE catch_alls (
  organization_id uuid NOT NULL, domain_id uuid NOT NULL, enabled boolean NOT NULL, forward_to text[] NOT NULL,
  -- Addresses that the catch-all refuses. Lower case.
  exclude text[] NOT NULL,
  created_at timestamptz NOT NULL, updated_at timestamptz NOT NULL,
  PRIMARY KEY (organization_id, domain_id),
  FOREIGN KEY (organization_id, domain_id) REFERENCES email_domains (organization_id, id) ON DELETE CASCADE
);

-- Received and refused mail of catch-alls by hour: a domain has at most 24 rows a day, regardless of the amount of
-- spam.
CREATE TABLE catch_all_counts (
  organization_id uuid NOT NULL, domain_id uuid NOT NULL, hour timestamptz NOT NULL, received bigint NOT NULL DEFAULT 0,
  rejected bigint NOT NULL DEFAULT 0,
  -- The mails of erased forwardings. The row of the hour 'epoch' has the totals of old hours.
  forwarded bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (organization_id, domain_id, hour)
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
  remote_address text NOT NULL, helo text NOT NULL, tls boolean NOT NULL, size integer NOT NULL,
  -- NULL after its retention time.
  raw bytea,
  received_at timestamptz NOT NULL,
  -- NULL until a worker has processed the mail.
  processed_at timestamptz,
  -- The reason why the mail could not be parsed. It is stored nevertheless.
  parse_error text,
  PRIMARY KEY (organization_id, id)
);
-- A repeated mail is stored once.
CREATE UNIQUE INDEX inbound_mails_fingerprint_key ON inbound_mails (organization_id, fingerprint);
-- Finds mails beyond the retention time.
CREATE INDEX inbound_mails_received ON inbound_mails USING brin (received_at);

-- The fields that only received messages have.
CREATE TABLE inbound_messages (
  organization_id uuid NOT NULL, message_id uuid NOT NULL,
  -- The Message-ID header (RFC 5322); empty if absent.
  rfc_message_id text NOT NULL,
  in_reply_to text[] NOT NULL, refers_to text[] NOT NULL, headers json NOT NULL, size integer NOT NULL,
  -- The results of SPF, DKIM and DMARC.
  authentication json,
  PRIMARY KEY (organization_id, message_id)
);
-- Finds the message that a reply refers to.
CREATE INDEX inbound_messages_rfc_id ON inbound_messages (organization_id, rfc_message_id);

-- The attachments of a received message. Their contents are in the object store.
CREATE TABLE inbound_attachments (
  organization_id uuid NOT NULL, message_id uuid NOT NULL, position integer NOT NULL, id uuid NOT NULL,
  filename text NOT NULL, content_type text NOT NULL, content_id text, size integer NOT NULL, object_key text NOT NULL,
  PRIMARY KEY (organization_id, message_id, position)
);

-- Rules that forward received mail. Every mail reads all rules of an organization, which are few.
CREATE TABLE forwarding_rules (
  organization_id uuid NOT NULL REFERENCES organizations (id), id uuid NOT NULL, name text NOT NULL,
  -- An address in lower case, or *@ and a domain.
  recipient text,
  sender text, subject_contains text, forward_to text[] NOT NULL, keep_copy boolean NOT NULL, priority integer NOT NULL,
  is_active boolean NOT NULL, match_count bigint NOT NULL DEFAULT 0, last_matched_at timestamptz,
  created_at timestamptz NOT NULL, updated_at timestamptz NOT NULL, rewrite_from boolean NOT NULL DEFAULT false,
  PRIMARY KEY (organization_id, id)
);

-- Forwardings of mails, one row per address. Decided once per mail, even if it is processed again.
CREATE TABLE forwardings (
  organization_id uuid NOT NULL, id uuid NOT NULL,
  -- The mail, and the message if it becomes one.
  mail_id uuid NOT NULL,
  -- NULL for a catch-all. The rule may have been removed.
  rule_id uuid,
  -- The domain of the catch-all.
  domain_id uuid,
  -- The recipients that match, in lower case.
  recipients text[] NOT NULL,
  -- Whether the recipients also receive the mail.
  keep_copy boolean NOT NULL,
  forward_to text NOT NULL,
  -- The organization's domain in the return path of the forwarded mail.
  via_domain text NOT NULL,
  -- waiting, forwarded, failed or loop_blocked.
  status text NOT NULL,
  error text, created_at timestamptz NOT NULL, settled_at timestamptz,
  PRIMARY KEY (organization_id, id)
) WITH (autovacuum_vacuum_insert_scale_factor = 0.02);
-- The decisions on a mail.
CREATE INDEX forwardings_mail ON forwardings (organization_id, mail_id);
-- The forwardings of a catch-all.
CREATE INDEX forwardings_catch_all ON forwardings (organization_id, domain_id) WHERE domain_id IS NOT NULL;
-- The log of forwardings.
CREATE INDEX forwardings_settled ON forwardings (organization_id, id) WHERE status <> 'waiting';

-- DMARC and TLS reports about domains.
CREATE TABLE mail_reports (
  organization_id uuid NOT NULL, id uuid NOT NULL, domain_id uuid NOT NULL,
  -- 'dmarc' or 'tls'.
  kind text NOT NULL,
  -- The name of the reporter, and its id of the report.
  reporter text NOT NULL, report_id text NOT NULL, policy text NOT NULL, begins_at timestamptz NOT NULL, ends_at timestamptz NOT NULL,
  -- Mails or sessions.
  total bigint NOT NULL, passed bigint NOT NULL, received_at timestamptz NOT NULL,
  PRIMARY KEY (organization_id, id),
  CONSTRAINT mail_reports_domain_fkey
    FOREIGN KEY (organization_id, domain_id) REFERENCES email_domains (organization_id, id) ON DELETE CASCADE
);
-- A report is stored once.
CREATE UNIQUE INDEX mail_reports_report_key
  ON mail_reports (organization_id, domain_id, kind, reporter, report_id);
-- The reports about a domain in a range of time.
CREATE INDEX mail_reports_period ON mail_reports (organization_id, domain_id, begins_at);
-- Reports to delete.
CREATE INDEX mail_reports_expiry ON mail_reports (received_at);

-- The sources of mail in a DMARC report.
CREATE TABLE mail_report_sources (
  organization_id uuid NOT NULL, report_id uuid NOT NULL, ip inet NOT NULL,
  -- Empty if the report does not name it.
  header_from text NOT NULL,
  disposition text NOT NULL,
  -- Whether a result of an aligned domain passed.
  dkim boolean NOT NULL, spf boolean NOT NULL, count bigint NOT NULL,
  PRIMARY KEY (organization_id, report_id, ip, header_from, disposition, dkim, spf),
  CONSTRAINT mail_report_sources_report_fkey
    FOREIGN KEY (organization_id, report_id) REFERENCES mail_reports (organization_id, id) ON DELETE CASCADE
);

-- The failed sessions in a TLS report.
CREATE TABLE mail_report_failures (
  organization_id uuid NOT NULL, report_id uuid NOT NULL, type text NOT NULL, policy_type text NOT NULL,
  -- Empty if the report does not name it.
  receiving_host text NOT NULL, count bigint NOT NULL,
  PRIMARY KEY (organization_id, report_id, type, policy_type, receiving_host),
  CONSTRAINT mail_report_failures_report_fkey
    FOREIGN KEY (organization_id, report_id) REFERENCES mail_reports (organization_id, id) ON DELETE CASCADE
);
`
