/** Log-ins that have begun at a provider of OpenID Connect, and the accounts that users are bound to. */
export const M0089OidcLogins = /* sql */ `
ALTER TABLE users ADD COLUMN oidc_issuer text, ADD COLUMN oidc_subject text;
CREATE UNIQUE INDEX users_oidc_key ON users (oidc_issuer, oidc_subject);
CREATE TABLE oidc_logins (
  state_hash text PRIMARY KEY, browser_hash text NOT NULL, expires_at timestamptz NOT NULL
);
CREATE INDEX oidc_logins_expiry ON oidc_logins (expires_at);
`
