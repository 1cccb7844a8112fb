/** Mail that goes on to other addresses, and what catch-alls have done. */
export const M0011Forwarding = /* sql */ `
-- What catch-alls took and refused, an hour in a row: however much strangers send, a domain has 24 rows a day.
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
  -- An organization has few enough to read them all for every mail.
  PRIMARY KEY (organization_id, id)
);

-- What becomes of a mail that goes on, an address in a row. It is decided once for a mail, however often that is looked at.
CREATE TABLE forwardings (
  organization_id uuid NOT NULL,
  id uuid NOT NULL,
  -- The mail, and the message if it becomes one.
  mail_id uuid NOT NULL,
  -- Null for what a catch-all forwards; the rule may be gone.
  rule_id uuid,
  -- The domain of that catch-all.
  domain_id uuid,
  -- The recipients that it was decided for, in lower case.
  recipients text[] NOT NULL,
  -- Whether they get it all the same.
  keep_copy boolean NOT NULL,
  forward_to text NOT NULL,
  -- The domain of ours whose return path it goes out with.
  via_domain text NOT NULL,
  -- waiting, forwarded, failed or loop_blocked.
  status text NOT NULL,
  error text,
  created_at timestamptz NOT NULL,
  settled_at timestamptz,
  PRIMARY KEY (organization_id, id)
);
-- What was decided of a mail.
CREATE INDEX forwardings_mail ON forwardings (organization_id, mail_id);
-- What a catch-all has forwarded.
CREATE INDEX forwardings_catch_all ON forwardings (organization_id, domain_id) WHERE domain_id IS NOT NULL;

-- What is ready for a worker, held by one, or leased to nobody until it is tried again: of the same form as inbound_queue.
CREATE TABLE forwarding_queue (
  organization_id uuid NOT NULL,
  -- The forwarding.
  id uuid NOT NULL,
  ready_at timestamptz NOT NULL,
  worker text,
  lease_until timestamptz,
  -- Each lease that ended without an end of the matter is an attempt.
  takeovers integer NOT NULL DEFAULT 0,
  PRIMARY KEY (organization_id, id)
) WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 500, autovacuum_analyze_scale_factor = 0.02);
-- The next ready entry of an organization, and, by skipping from one to the next, the organizations that have any.
CREATE INDEX forwarding_queue_ready ON forwarding_queue (organization_id, ready_at, id) WHERE lease_until IS NULL;
-- Leases that ran out.
CREATE INDEX forwarding_queue_leases ON forwarding_queue (lease_until) WHERE lease_until IS NOT NULL;
`
