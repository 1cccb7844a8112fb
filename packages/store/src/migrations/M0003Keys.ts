/** What keys, sessions and organizations need beyond sending. */
export const M0003Keys = /* sql */ `
ALTER TABLE api_keys
  -- The value before the last rotation, which works until its grace is over.
  ADD COLUMN previous_hash text CONSTRAINT api_keys_previous_hash_key UNIQUE,
  ADD COLUMN previous_until timestamptz,
  ADD COLUMN updated_at timestamptz,
  ADD COLUMN removed_at timestamptz;
-- An organization's keys, newest first.
CREATE INDEX api_keys_organization ON api_keys (organization_id, id) WHERE removed_at IS NULL;

-- What keys were used for, kept 30 days. Written in batches, away from the requests.
CREATE TABLE api_key_activity (
  organization_id uuid NOT NULL,
  api_key_id uuid NOT NULL,
  id uuid NOT NULL,
  method text NOT NULL,
  path text NOT NULL,
  -- The operation's path with its parameters' names: what statistics group by.
  route text NOT NULL,
  status integer NOT NULL,
  latency_ms integer NOT NULL,
  ip_address text NOT NULL,
  at timestamptz NOT NULL,
  PRIMARY KEY (organization_id, api_key_id, id)
);
-- The oldest are found by it. Rows lie in the order of their time, so that it is a few pages whatever the table's size.
CREATE INDEX api_key_activity_at ON api_key_activity USING brin (at);

-- How much of it there is, by the hour (UTC): totals and statistics are not counted row by row.
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
-- The hours that are over are found by it.
CREATE INDEX api_key_usage_hour ON api_key_usage (hour);

-- Log-ins of browsers. A session speaks for its key, and ends with it.
CREATE TABLE sessions (
  -- SHA-256 of the cookie's value, in base 16.
  hash text PRIMARY KEY,
  organization_id uuid NOT NULL,
  api_key_id uuid NOT NULL REFERENCES api_keys (id) ON DELETE CASCADE,
  -- SHA-256 (base 16) of the key's value that started it: a session ends with that value, also when it is rotated.
  key_hash text NOT NULL,
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL
);
-- Those that are over are found by it.
CREATE INDEX sessions_expires ON sessions (expires_at);

-- The month in which an organization's plan was last exceeded: that is told once a month.
ALTER TABLE organization_usage ADD COLUMN exceeded_month date;
`
