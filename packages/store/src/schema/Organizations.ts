/** Organizations, their API keys, users and sessions, and the progress of retention and erasure. */
export const Organizations = /* sql */ `
-- Tenants: the owners of all other rows.
CREATE TABLE organizations (
  id uuid PRIMARY KEY, name text NOT NULL, slug text NOT NULL UNIQUE, logo text, payment_customer_id text,
  default_currency text NOT NULL DEFAULT 'USD', country_code text, timezone text NOT NULL DEFAULT 'UTC',
  billing_email text, plan text NOT NULL, is_active boolean NOT NULL DEFAULT true, metadata jsonb NOT NULL DEFAULT '{}',
  created_at timestamptz NOT NULL, updated_at timestamptz NOT NULL
);

-- Updated once per batch of sends. The free space keeps updates within the page (HOT).
CREATE TABLE organization_usage (
  organization_id uuid PRIMARY KEY REFERENCES organizations (id),
  -- The first day of the UTC month of the monthly counters.
  month date NOT NULL,
  messages_used bigint NOT NULL DEFAULT 0, messages_used_this_month bigint NOT NULL DEFAULT 0,
  email_used bigint NOT NULL DEFAULT 0, email_used_this_month bigint NOT NULL DEFAULT 0,
  -- The number of rows in messages, including tests: the total of an unfiltered list.
  messages_kept bigint NOT NULL DEFAULT 0,
  -- The numbers of rows in these tables.
  participants bigint NOT NULL DEFAULT 0, conversations bigint NOT NULL DEFAULT 0,
  -- The month of the last notification that the plan was exceeded: at most one is sent per month.
  exceeded_month date,
  -- The number of removed participants. A send reads it with its participants, and compares it when it counts its
  -- usage: both transactions lock this row.
  participants_removed bigint NOT NULL DEFAULT 0,
  -- The number of threads by status: the totals of lists.
  active_threads integer NOT NULL DEFAULT 0, resolved_threads integer NOT NULL DEFAULT 0,
  archived_threads integer NOT NULL DEFAULT 0,
  sms_used bigint NOT NULL DEFAULT 0, sms_used_this_month bigint NOT NULL DEFAULT 0,
  whatsapp_used bigint NOT NULL DEFAULT 0, whatsapp_used_this_month bigint NOT NULL DEFAULT 0
) WITH (fillfactor = 50);

-- API keys, by the hash of their value.
CREATE TABLE api_keys (
  id uuid PRIMARY KEY, organization_id uuid REFERENCES organizations (id), name text NOT NULL, description text,
  role_name text, start text NOT NULL,
  -- SHA-256 of the key, in base 16. Unique: authentication finds a key by it.
  hash text NOT NULL UNIQUE,
  permissions jsonb NOT NULL, is_active boolean NOT NULL DEFAULT true, expires_at timestamptz, last_used_at timestamptz,
  created_at timestamptz NOT NULL,
  -- The value before the last rotation, valid during the grace period.
  previous_hash text UNIQUE,
  previous_until timestamptz, updated_at timestamptz, removed_at timestamptz
);
-- An organization's keys, newest first.
CREATE INDEX api_keys_organization ON api_keys (organization_id, id) WHERE removed_at IS NULL;

-- The values of API keys before the last replaced one, each with its own end.
CREATE TABLE earlier_key_values (
  api_key_id uuid NOT NULL REFERENCES api_keys (id) ON DELETE CASCADE,
  -- SHA-256 of the value, in base 16.
  hash text NOT NULL,
  valid_until timestamptz NOT NULL,
  PRIMARY KEY (api_key_id, hash)
);
-- Finds the key of a value.
CREATE INDEX earlier_key_values_hash ON earlier_key_values (hash);

-- Browser sessions. A session acts for its key, and ends with it.
CREATE TABLE sessions (
  -- SHA-256 of the cookie's value, in base 16.
  hash text PRIMARY KEY,
  organization_id uuid NOT NULL, api_key_id uuid NOT NULL REFERENCES api_keys (id) ON DELETE CASCADE,
  -- SHA-256 (base 16) of the key's value at log-in: the session also ends when the key is rotated.
  key_hash text NOT NULL,
  created_at timestamptz NOT NULL, expires_at timestamptz NOT NULL
);
-- Finds expired sessions.
CREATE INDEX sessions_expires ON sessions (expires_at);

-- The tokens of log-in links, which start a browser session once.
CREATE TABLE login_tokens (
  -- SHA-256 of the token, in base 16.
  hash text PRIMARY KEY,
  organization_id uuid NOT NULL, api_key_id uuid NOT NULL REFERENCES api_keys (id) ON DELETE CASCADE,
  -- SHA-256 (base 16) of the key's value when the link was made: the link also ends when the key is rotated.
  key_hash text NOT NULL,
  expires_at timestamptz NOT NULL
);

-- Log-ins that have begun at a provider of OpenID Connect. Each ends once.
CREATE TABLE oidc_logins (
  -- SHA-256 of the parameter state, and of the cookie of the browser in which it began, in base 16.
  state_hash text PRIMARY KEY, browser_hash text NOT NULL,
  expires_at timestamptz NOT NULL
);
-- Finds expired log-ins.
CREATE INDEX oidc_logins_expiry ON oidc_logins (expires_at);

-- People who log in to the console. A user acts through an API key without a known value.
CREATE TABLE users (
  id uuid PRIMARY KEY, organization_id uuid NOT NULL REFERENCES organizations (id), email text NOT NULL,
  name text NOT NULL,
  -- The permissions of this role are those of the key.
  role_name text NOT NULL,
  -- A PHC string; NULL without a password.
  password_hash text,
  api_key_id uuid NOT NULL UNIQUE REFERENCES api_keys (id),
  last_login_at timestamptz, created_at timestamptz NOT NULL, updated_at timestamptz NOT NULL,
  -- The account at a provider of OpenID Connect, from the first log-in with it.
  oidc_issuer text, oidc_subject text,
  -- The newest time step (RFC 6238) whose code was used: no code works twice. NULL without a confirmed second factor.
  totp_last_step integer,
  -- SHA-256 of the unused recovery codes, in base 16.
  recovery_code_hashes text[] NOT NULL DEFAULT '{}'
);
CREATE UNIQUE INDEX users_oidc_key ON users (oidc_issuer, oidc_subject);
-- An address belongs to one user of the installation.
CREATE UNIQUE INDEX users_email_key ON users (lower(email));
-- The users of an organization, newest first.
CREATE INDEX users_organization ON users (organization_id, id);

-- Invitations to an organization. An accepted one is kept until it expires: its link is then refused as used.
CREATE TABLE user_invitations (
  id uuid PRIMARY KEY, organization_id uuid NOT NULL REFERENCES organizations (id),
  -- SHA-256 of the token, in base 16.
  token_hash text NOT NULL UNIQUE,
  email text NOT NULL, name text, role_name text NOT NULL,
  -- Invitations end with the user who made them.
  invited_by uuid REFERENCES users (id) ON DELETE CASCADE,
  created_at timestamptz NOT NULL, expires_at timestamptz NOT NULL, accepted_at timestamptz
);
-- A new invitation to an address replaces the former.
CREATE UNIQUE INDEX user_invitations_email_key ON user_invitations (organization_id, lower(email))
  WHERE accepted_at IS NULL;
-- The invitations of an organization, newest first, and those of a user.
CREATE INDEX user_invitations_organization ON user_invitations (organization_id, id);
CREATE INDEX user_invitations_invited_by ON user_invitations (invited_by);
-- Finds expired invitations.
CREATE INDEX user_invitations_expiry ON user_invitations (expires_at);

-- The tokens of links that set a new password once.
CREATE TABLE password_resets (
  -- SHA-256 of the token, in base 16.
  token_hash text PRIMARY KEY,
  organization_id uuid NOT NULL, user_id uuid NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  expires_at timestamptz NOT NULL
);
-- The tokens of a user, and expired ones.
CREATE INDEX password_resets_user ON password_resets (user_id);
CREATE INDEX password_resets_expiry ON password_resets (expires_at);

-- The requests of keys, kept for 30 days. Written in batches, outside of the requests.
CREATE TABLE api_key_activity (
  organization_id uuid NOT NULL, api_key_id uuid NOT NULL, id uuid NOT NULL, method text NOT NULL, path text NOT NULL,
  -- The operation's path with parameter names: statistics group by it.
  route text NOT NULL,
  status integer NOT NULL, latency_ms integer NOT NULL, ip_address text NOT NULL, at timestamptz NOT NULL,
  PRIMARY KEY (organization_id, api_key_id, id)
) PARTITION BY RANGE (id);
CREATE TABLE api_key_activity_default PARTITION OF api_key_activity DEFAULT;

-- Hourly request counts (UTC), so that totals and statistics do not count rows.
CREATE TABLE api_key_usage (
  organization_id uuid NOT NULL, api_key_id uuid NOT NULL, hour timestamptz NOT NULL, method text NOT NULL,
  route text NOT NULL, status integer NOT NULL, requests bigint NOT NULL,
  PRIMARY KEY (organization_id, api_key_id, hour, method, route, status)
) WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.05);
-- Finds expired hours.
CREATE INDEX api_key_usage_hour ON api_key_usage (hour);

-- The requests of keys by operation and status, in all hours: a total does not sum the hours.
CREATE TABLE api_key_totals (
  organization_id uuid NOT NULL, api_key_id uuid NOT NULL, method text NOT NULL, route text NOT NULL,
  status integer NOT NULL, requests bigint NOT NULL,
  PRIMARY KEY (organization_id, api_key_id, method, route, status)
) WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.05);

-- The changes that keys made. An entry is stored before its change, and completed after it.
CREATE TABLE audit_entries (
  organization_id uuid NOT NULL, id uuid NOT NULL, at timestamptz NOT NULL,
  -- Name and address are those at the time of the change.
  actor_type text NOT NULL, actor_id uuid NOT NULL, actor_name text NOT NULL, actor_email text,
  operation text NOT NULL, resource text NOT NULL, resource_id text, outcome text NOT NULL,
  -- The changed fields, without secrets, at most 32 KiB.
  changes json,
  ip_address text NOT NULL, user_agent text NOT NULL, request_id text,
  PRIMARY KEY (organization_id, id)
);

-- The idempotency keys of requests that create a resource other than a message.
CREATE TABLE creation_keys (
  organization_id uuid NOT NULL,
  -- SHA-256 (base 16) of the operation and the caller's key.
  hash text NOT NULL,
  -- SHA-256 (base 16) of the request.
  fingerprint text NOT NULL,
  resource_id uuid NOT NULL, created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (organization_id, hash)
);
-- Finds expired keys; keys are kept for 30 days.
CREATE INDEX creation_keys_created ON creation_keys (created_at);

-- Data of the installation: at most one row.
CREATE TABLE installation (
  single boolean PRIMARY KEY DEFAULT true CHECK (single),
  -- A constant signed with the master key: a wrong key is detected at startup, not by secrets that fail to decrypt.
  key_mark text NOT NULL,
  -- Since when nothing is sent; NULL if it is not held.
  held_at timestamptz,
  -- Messages that were due before this time end without an attempt; NULL for none.
  ended_before timestamptz
);

-- Everything that is encrypted under the master key, with the purpose and the owner that it is encrypted for.
CREATE TABLE secrets (
  organization_id uuid NOT NULL, owner text NOT NULL, purpose text NOT NULL,
  -- Counts the values of an owner.
  version integer NOT NULL,
  -- The end of a replaced value. The current one has none.
  valid_until timestamptz,
  value bytea NOT NULL,
  PRIMARY KEY (organization_id, owner, purpose, version)
);

-- The id up to which the content of all messages (bodies) or mails (inbound_raw) is erased or rechecked.
CREATE TABLE retention_marks (
  organization_id uuid NOT NULL, kind text NOT NULL, done_to uuid NOT NULL,
  PRIMARY KEY (organization_id, kind)
);

-- Messages and mails below the mark that were not final when they were read.
CREATE TABLE retention_rechecks (
  organization_id uuid NOT NULL, kind text NOT NULL, id uuid NOT NULL,
  PRIMARY KEY (organization_id, kind, id)
);

-- Unfinished runs of erasures. A row has no personal data: the id is a slow hash of the address, and keys with text are
-- not stored.
CREATE TABLE erasures (
  id text PRIMARY KEY, started_at timestamptz NOT NULL,
  -- The table and the key up to which rows are searched; NULL at the beginning.
  position json,
  -- The counts of erased and of remaining records, by kind.
  erased json NOT NULL DEFAULT '[]',
  remaining json NOT NULL DEFAULT '[]'
);

-- Unused objects to remove. Written in the transaction that makes them unused, so that no crash leaves them behind.
CREATE TABLE object_removals (
  organization_id uuid NOT NULL, key text NOT NULL, due_at timestamptz NOT NULL,
  PRIMARY KEY (organization_id, key)
);
-- Due removals.
CREATE INDEX object_removals_due ON object_removals (due_at);
`
