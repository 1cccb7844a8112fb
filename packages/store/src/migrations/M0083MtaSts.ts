/** The MTA-STS policies of recipient domains. */
export const M0083MtaSts = /* sql */ `
CREATE TABLE mta_sts_policies (
  domain text PRIMARY KEY, policy_id text NOT NULL, mode text NOT NULL, mx text[] NOT NULL,
  fetched_at timestamptz NOT NULL, expires_at timestamptz NOT NULL
);
CREATE INDEX mta_sts_policies_expiry ON mta_sts_policies (expires_at);
`
