/** Forwarding of mail, and the counts of catch-alls. */
export const M0011Forwarding = /* sql */ `
-- Received and refused mail of catch-alls by hour: a domain has at most 24 rows a day, regardless of the amount of
-- spam.
CREATE TABLE catch_all_counts (
  organization_id uuid NOT NULL,
  domain_id uuid NOT NULL,
  hour timestamptz NOT NULL,
  received bigint NOT NULL DEFAULT 0,
  rejected bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (organization_id, domain_id, hour)
);

CREATE TABLE forwarding_rules (
  organization_id uuid NOT NULL REFERENCES organizations (id),
  id uuid NOT NULL,
  name text NOT NULL,
  -- An address in lower case, or *@ and a domain.
  recipient text,
  sender text,
  subject_contains text,
  forward_to text[] NOT NULL,
  keep_copy boolean NOT NULL,
  priority integer NOT NULL,
  is_active boolean NOT NULL,
  match_count bigint NOT NULL DEFAULT 0,
  last_matched_at timestamptz,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  -- Every mail reads all rules of an organization, which are few.
  PRIMARY KEY (organization_id, id)
);

-- Forwardings of mails, one row per address. Decided once per mail, even if it is processed again.
CREATE TABLE forwardings (
  organization_id uuid NOT NULL,
  id uuid NOT NULL,
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
  error text,
  created_at timestamptz NOT NULL,
  settled_at timestamptz,
  PRIMARY KEY (organization_id, id)
);
-- The decisions on a mail.
CREATE INDEX forwardings_mail ON forwardings (organization_id, mail_id);
-- The forwardings of a catch-all.
CREATE INDEX forwardings_catch_all ON forwardings (organization_id, domain_id) WHERE domain_id IS NOT NULL;

-- Entries that are ready for a worker, leased by one, or leased without a worker until a retry; in the form of
-- inbound_queue.
CREATE TABLE forwarding_queue (
  organization_id uuid NOT NULL,
  -- The forwarding.
  id uuid NOT NULL,
  ready_at timestamptz NOT NULL,
  worker text,
  lease_until timestamptz,
  -- Each lease that ended without an outcome counts as an attempt.
  takeovers integer NOT NULL DEFAULT 0,
  PRIMARY KEY (organization_id, id)
) WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 500, autovacuum_analyze_scale_factor = 0.02);
-- The next ready entry of an organization; and, by skipping from one to the next, all organizations with ready entries.
CREATE INDEX forwarding_queue_ready ON forwarding_queue (organization_id, ready_at, id) WHERE lease_until IS NULL;
-- Expired leases.
CREATE INDEX forwarding_queue_leases ON forwarding_queue (lease_until) WHERE lease_until IS NOT NULL;
`
