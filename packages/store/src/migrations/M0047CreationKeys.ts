/** The idempotency keys of requests that create a resource other than a message. */
export const M0047CreationKeys = /* sql */ `
CREATE TABLE creation_keys (
  organization_id uuid NOT NULL,
  -- SHA-256 (base 16) of the operation and the caller's key.
  hash text NOT NULL,
  -- SHA-256 (base 16) of the request.
  fingerprint text NOT NULL,
  resource_id uuid NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (organization_id, hash)
);
-- Finds expired keys; keys are kept for 30 days.
CREATE INDEX creation_keys_created ON creation_keys (created_at);
`
