/**
 * The replaced values before the last replaced one, each with its own end. Processes of an earlier release store and read
 * the last replaced one only, which stays in its row.
 */
export const M0072EarlierSecrets = /* sql */ `
CREATE TABLE earlier_webhook_secrets (
  organization_id uuid NOT NULL,
  endpoint_id uuid NOT NULL,
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  -- Encrypted for the endpoint.
  secret bytea NOT NULL,
  signs_until timestamptz NOT NULL,
  PRIMARY KEY (organization_id, endpoint_id, id),
  FOREIGN KEY (organization_id, endpoint_id) REFERENCES webhook_endpoints ON DELETE CASCADE
);

CREATE TABLE earlier_key_values (
  api_key_id uuid NOT NULL REFERENCES api_keys (id) ON DELETE CASCADE,
  -- SHA-256 of the value, in base 16.
  hash text NOT NULL,
  valid_until timestamptz NOT NULL,
  PRIMARY KEY (api_key_id, hash)
);
-- Finds the key of a value.
CREATE INDEX earlier_key_values_hash ON earlier_key_values (hash);
`
