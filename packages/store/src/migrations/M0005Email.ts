/** Domains, senders, blocks and templates. */
export const M0005Email = /* sql */ `
-- Domains that organizations send from. Private keys are encrypted; one selector signs, the other is for rotation.
CREATE TABLE email_domains (
  organization_id uuid NOT NULL REFERENCES organizations (id),
  id uuid NOT NULL,
  -- Lower case, A-labels.
  domain text NOT NULL,
  status text NOT NULL,
  verification_token text NOT NULL,
  verified_at timestamptz,
  -- The time since which the DNS records of a verified domain are wrong.
  failing_since timestamptz,
  active_selector text NOT NULL,
  sm1_private_key bytea NOT NULL,
  sm1_public_key text NOT NULL,
  sm2_private_key bytea NOT NULL,
  sm2_public_key text NOT NULL,
  receiving boolean NOT NULL DEFAULT false,
  -- The next check of the DNS records. A worker moves it forward before the check, so that other workers skip it.
  next_check_at timestamptz NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (organization_id, id)
);
-- A domain exists once in an organization.
CREATE UNIQUE INDEX email_domains_domain_key ON email_domains (organization_id, domain);
-- At most one organization has a domain verified.
CREATE UNIQUE INDEX email_domains_verified_key ON email_domains (domain) WHERE status IN ('verified', 'degraded');
-- Domains to check.
CREATE INDEX email_domains_check ON email_domains (next_check_at);

ALTER TABLE email_senders
  ADD COLUMN domain_id uuid,
  -- Becomes the default sender when it is verified.
  ADD COLUMN wants_default boolean NOT NULL DEFAULT false,
  -- Identifies the link of the latest confirmation mail: a new mail invalidates earlier links.
  ADD COLUMN confirmation_nonce uuid,
  ADD COLUMN confirmation_expires_at timestamptz;
-- A domain with senders cannot be removed.
ALTER TABLE email_senders ADD CONSTRAINT email_senders_domain_fkey
  FOREIGN KEY (organization_id, domain_id) REFERENCES email_domains (organization_id, id);
CREATE INDEX email_senders_domain ON email_senders (organization_id, domain_id) WHERE domain_id IS NOT NULL;

-- Addresses and domains to which an organization does not send.
CREATE TABLE email_blocks (
  organization_id uuid NOT NULL REFERENCES organizations (id),
  id uuid NOT NULL,
  type text NOT NULL,
  -- Lower case.
  value text NOT NULL,
  reason text NOT NULL,
  source text NOT NULL,
  source_message_id uuid,
  hit_count integer NOT NULL DEFAULT 0,
  last_hit_at timestamptz,
  expires_at timestamptz,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (organization_id, id)
);
-- Read for every send, for its recipients and their domains.
CREATE UNIQUE INDEX email_blocks_value_key ON email_blocks (organization_id, type, value);

CREATE TABLE email_block_logs (
  organization_id uuid NOT NULL,
  id uuid NOT NULL,
  block_id uuid NOT NULL,
  email text NOT NULL,
  message_id uuid,
  action text NOT NULL,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (organization_id, id)
);

CREATE TABLE email_templates (
  organization_id uuid NOT NULL REFERENCES organizations (id),
  id uuid NOT NULL,
  name text NOT NULL,
  subject text NOT NULL,
  html text NOT NULL,
  text text,
  variables json NOT NULL,
  version integer NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (organization_id, id)
);
-- A template name is unique in an organization.
CREATE UNIQUE INDEX email_templates_name_key ON email_templates (organization_id, name);

-- All versions of a template: a message refers to the version that it was created from.
CREATE TABLE email_template_versions (
  organization_id uuid NOT NULL,
  template_id uuid NOT NULL,
  version integer NOT NULL,
  subject text NOT NULL,
  html text NOT NULL,
  text text,
  variables json NOT NULL,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (organization_id, template_id, version)
);
`
