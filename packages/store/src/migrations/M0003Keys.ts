/** Rotation, activity and sessions of API keys; plan notifications of organizations. */
export const M0003Keys = /* sql */ `
ALTER TABLE api_keys
  -- The value before the last rotation, valid during the grace period.
  ADD COLUMN previous_hash text CONSTRAINT api_keys_previous_hash_key UNIQUE,
  ADD COLUMN previous_until timestamptz,
  ADD COLUMN updated_at timestamptz,
  ADD COLUMN removed_at timestamptz;
-- An organization's keys, newest first.
CREATE INDEX api_keys_organization ON api_keys (organization_id, id) WHERE removed_at IS NULL;

-- The requests of keys, kept for 30 days. Written in batches, outside of the requests.
CREATE TABLE api_key_activity (
  organization_id uuid NOT NULL,
  api_key_id uuid NOT NULL,
  id uuid NOT NULL,
  method text NOT NULL,
  path text NOT NULL,
  -- The operation's path with parameter names: statistics group by it.
  route text NOT NULL,
  status integer NOT NULL,
  latency_ms integer NOT NULL,
  ip_address text NOT NULL,
  at timestamptz NOT NULL,
  PRIMARY KEY (organization_id, api_key_id, id)
);
-- Finds expired rows. Rows are stored in the order of time, so that the lookup reads a few pages for any table size.
CREATE INDEX api_key_activity_at ON api_key_activity USING brin (at);

-- Hourly request counts (UTC), so that totals and statistics do not count rows.
CREATE TABLE api_key_usage (
  organization_id uuid NOT NULL,
  api_key_id uuid NOT NULL,
  hour timestamptz NOT NULL,
  method text NOT NULL,
  route text NOT NULL,
  status integer NOT NULL,
  requests bigint NOT NULL,
  PRIMARY KEY (organization_id, api_key_id, hour, method, route, status)
) WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.05);
-- Finds expired hours.
CREATE INDEX api_key_usage_hour ON api_key_usage (hour);

-- Browser sessions. A session acts for its key, and ends with it.
CREATE TABLE sessions (
  -- SHA-256 of the cookie's value, in base 16.
  hash text PRIMARY KEY,
  organization_id uuid NOT NULL,
  api_key_id uuid NOT NULL REFERENCES api_keys (id) ON DELETE CASCADE,
  -- SHA-256 (base 16) of the key's value at log-in: the session also ends when the key is rotated.
  key_hash text NOT NULL,
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL
);
-- Finds expired sessions.
CREATE INDEX sessions_expires ON sessions (expires_at);

-- The month of the last notification that the plan was exceeded: at most one is sent per month.
ALTER TABLE organization_usage ADD COLUMN exceeded_month date;
`
