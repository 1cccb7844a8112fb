/** The tokens of log-in links, which start a browser session once. */
export const M0048LoginTokens = /* sql */ `
CREATE TABLE login_tokens (
  -- SHA-256 of the token, in base 16.
  hash text PRIMARY KEY,
  organization_id uuid NOT NULL,
  api_key_id uuid NOT NULL REFERENCES api_keys (id) ON DELETE CASCADE,
  -- SHA-256 (base 16) of the key's value when the link was made: the link also ends when the key is rotated.
  key_hash text NOT NULL,
  expires_at timestamptz NOT NULL
);
`
