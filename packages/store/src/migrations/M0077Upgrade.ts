/** Moves the encrypted values of domains, webhook endpoints and voice agents to one table. */
const secrets = /* sql */ `
-- Everything that is encrypted under the master key, with the purpose and the owner that it is encrypted for.
CREATE TABLE secrets (
  organization_id uuid NOT NULL,
  owner text NOT NULL,
  purpose text NOT NULL,
  -- Counts the values of an owner.
  version integer NOT NULL,
  -- The end of a replaced value. The current one has none.
  valid_until timestamptz,
  value bytea NOT NULL,
  PRIMARY KEY (organization_id, owner, purpose, version)
);

INSERT INTO secrets (organization_id, owner, purpose, version, valid_until, value)
SELECT organization_id, id || '/sm1', 'dkim-key', 1, NULL::timestamptz, sm1_private_key FROM email_domains
UNION ALL SELECT organization_id, id || '/sm2', 'dkim-key', 1, NULL, sm2_private_key FROM email_domains
UNION ALL SELECT organization_id, id::text, 'webhook-headers', 1, NULL, headers FROM webhook_endpoints
  WHERE headers IS NOT NULL
UNION ALL SELECT organization_id, id::text, 'webhook-headers', 1, NULL, webhook_headers FROM voice_agents
  WHERE webhook_headers IS NOT NULL
UNION ALL SELECT organization_id, id::text, 'webhook-secret', 1, NULL, webhook_secret FROM voice_agents
  WHERE webhook_secret IS NOT NULL
UNION ALL SELECT organization_id, owner, 'webhook-secret',
    row_number() OVER (PARTITION BY organization_id, owner ORDER BY valid_until NULLS LAST), valid_until, value
  FROM (
    SELECT organization_id, id::text, NULL::timestamptz, secret FROM webhook_endpoints
    UNION ALL SELECT organization_id, id::text, previous_secret_until, previous_secret FROM webhook_endpoints
      WHERE previous_secret IS NOT NULL AND previous_secret_until > now()
    UNION ALL SELECT organization_id, endpoint_id::text, signs_until, secret FROM earlier_webhook_secrets
      WHERE signs_until > now()
  ) AS s (organization_id, owner, valid_until, value);

ALTER TABLE email_domains DROP COLUMN sm1_private_key, DROP COLUMN sm2_private_key;
ALTER TABLE voice_agents DROP COLUMN webhook_headers, DROP COLUMN webhook_secret;
ALTER TABLE webhook_endpoints DROP COLUMN headers, DROP COLUMN secret, DROP COLUMN previous_secret,
  DROP COLUMN previous_secret_until;
DROP TABLE earlier_webhook_secrets;
`

/** Upgrades the schema of 0.2.0, whose processes are stopped. */
export const M0077Upgrade = secrets
