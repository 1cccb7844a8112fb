/** Domains, senders, blocks and templates of e-mail. */
export const Email = /* sql */ `
-- Domains that organizations send from. One selector signs, the other is for rotation.
CREATE TABLE email_domains (
  organization_id uuid NOT NULL REFERENCES organizations (id), id uuid NOT NULL,
  -- Lower case, A-labels.
  domain text NOT NULL,
  status text NOT NULL, verification_token text NOT NULL, verified_at timestamptz,
  -- The time since which the DNS records of a verified domain are wrong.
  failing_since timestamptz,
  active_selector text NOT NULL, sm1_public_key text NOT NULL, sm2_public_key text NOT NULL,
  receiving boolean NOT NULL DEFAULT false,
  -- The next check of the DNS records. A worker moves it forward before the check, so that other workers skip it.
  next_check_at timestamptz NOT NULL,
  created_at timestamptz NOT NULL, updated_at timestamptz NOT NULL,
  -- The defaults of mail from the domain.
  track_opens boolean NOT NULL DEFAULT false, track_clicks boolean NOT NULL DEFAULT false,
  -- The host of links in tracked mail, and whether the last check found its record.
  tracking_domain text, is_tracking_verified boolean NOT NULL DEFAULT false,
  -- The pause of mail from the domain, its reason, and the figures that it was decided by.
  paused_at timestamptz, pause_reason text, pause_rate float8, pause_bound float8, pause_messages integer,
  -- The end of the last pause: mail before it does not pause the domain again.
  resumed_at timestamptz,
  PRIMARY KEY (organization_id, id)
);
-- A domain exists once in an organization.
CREATE UNIQUE INDEX email_domains_domain_key ON email_domains (organization_id, domain);
-- At most one organization has a domain verified.
CREATE UNIQUE INDEX email_domains_verified_key ON email_domains (domain) WHERE status IN ('verified', 'degraded');
-- Domains to check.
CREATE INDEX email_domains_check ON email_domains (next_check_at);
-- Paused domains.
CREATE INDEX email_domains_paused ON email_domains (paused_at) WHERE paused_at IS NOT NULL;

-- The addresses that an organization sends from.
CREATE TABLE email_senders (
  organization_id uuid NOT NULL REFERENCES organizations (id), id uuid NOT NULL, email text NOT NULL,
  name text NOT NULL, reply_to text, verification_status text NOT NULL, verified_at timestamptz, is_default boolean NOT NULL DEFAULT false,
  is_active boolean NOT NULL DEFAULT true, created_at timestamptz NOT NULL, updated_at timestamptz NOT NULL,
  domain_id uuid,
  -- Becomes the default sender when it is verified.
  wants_default boolean NOT NULL DEFAULT false,
  -- Identifies the link of the latest confirmation mail: a new mail invalidates earlier links.
  confirmation_nonce uuid,
  confirmation_expires_at timestamptz,
  PRIMARY KEY (organization_id, id),
  CONSTRAINT email_senders_domain_fkey
    FOREIGN KEY (organization_id, domain_id) REFERENCES email_domains (organization_id, id)
);
-- A send finds its sender by address, case-insensitive. Addresses are unique in an organization.
CREATE UNIQUE INDEX email_senders_email_key ON email_senders (organization_id, lower(email));
-- At most one default sender per organization.
CREATE UNIQUE INDEX email_senders_default_key ON email_senders (organization_id) WHERE is_default;
-- The senders of a domain.
CREATE INDEX email_senders_domain ON email_senders (organization_id, domain_id) WHERE domain_id IS NOT NULL;

-- Addresses and domains to which an organization does not send.
CREATE TABLE email_blocks (
  organization_id uuid NOT NULL REFERENCES organizations (id), id uuid NOT NULL, type text NOT NULL,
  -- Lower case.
  value text NOT NULL,
  reason text NOT NULL, source text NOT NULL, source_message_id uuid, hit_count integer NOT NULL DEFAULT 0,
  last_hit_at timestamptz, expires_at timestamptz, created_at timestamptz NOT NULL, updated_at timestamptz NOT NULL,
  -- The scope: empty for all mail, otherwise a category.
  category text NOT NULL DEFAULT '',
  PRIMARY KEY (organization_id, id),
  CONSTRAINT email_blocks_all_mail
    CHECK (category = '') NO INHERIT
) WITH (autovacuum_vacuum_insert_scale_factor = 0.02);
-- Read for every send, for its recipients and their domains.
CREATE UNIQUE INDEX email_blocks_value_key ON email_blocks (organization_id, type, value);
-- Lists of blocks by reason.
CREATE INDEX email_blocks_reason ON email_blocks (organization_id, reason, id);
-- Searches of blocks by a part of the value.
CREATE INDEX email_blocks_search_keys
  ON email_blocks USING gin (search_key(fold_case(value)) gin_trgm_ops, organization_id);

-- Blocks on one category of mail: a child table, so that the unique key of each table has its own columns.
CREATE TABLE email_category_blocks (
  PRIMARY KEY (organization_id, id), FOREIGN KEY (organization_id) REFERENCES organizations (id), CHECK (category <> '')
) INHERITS (email_blocks) WITH (autovacuum_vacuum_insert_scale_factor = 0.02);
-- Read for every send, for its recipients and their domains.
CREATE UNIQUE INDEX email_category_blocks_value_key ON email_category_blocks (organization_id, type, value, category);
-- Lists of blocks by reason.
CREATE INDEX email_category_blocks_reason ON email_category_blocks (organization_id, reason, id);
-- Searches of blocks by a part of the value.
CREATE INDEX email_category_blocks_search_keys
  ON email_category_blocks USING gin (search_key(fold_case(value)) gin_trgm_ops, organization_id);

-- The mails that a block stopped, and the changes of blocks.
CREATE TABLE email_block_logs (
  organization_id uuid NOT NULL, id uuid NOT NULL, block_id uuid NOT NULL, email text NOT NULL, message_id uuid,
  action text NOT NULL, created_at timestamptz NOT NULL,
  -- The category of the entry's block; NULL for all mail.
  category text,
  PRIMARY KEY (organization_id, id)
) WITH (autovacuum_vacuum_insert_scale_factor = 0.02);

-- Templates: the newest version of each.
CREATE TABLE email_templates (
  organization_id uuid NOT NULL REFERENCES organizations (id), id uuid NOT NULL, name text NOT NULL,
  subject text NOT NULL, html text NOT NULL, text text, variables json NOT NULL, version integer NOT NULL,
  created_at timestamptz NOT NULL, updated_at timestamptz NOT NULL,
  -- Channels other than email have a text only: subject and HTML are empty.
  channel text NOT NULL DEFAULT 'email',
  PRIMARY KEY (organization_id, id)
);
-- A template name is unique in an organization.
CREATE UNIQUE INDEX email_templates_name_key ON email_templates (organization_id, name);

-- All versions of a template: a message refers to the version that it was created from.
CREATE TABLE email_template_versions (
  organization_id uuid NOT NULL, template_id uuid NOT NULL, version integer NOT NULL, subject text NOT NULL,
  html text NOT NULL, text text, variables json NOT NULL, created_at timestamptz NOT NULL,
  PRIMARY KEY (organization_id, template_id, version)
);
`
