/** Users, their invitations and the tokens of their password resets. */
export const M0085Users = /* sql */ `
CREATE TABLE users (
  id uuid PRIMARY KEY, organization_id uuid NOT NULL REFERENCES organizations (id), email text NOT NULL,
  name text NOT NULL, role_name text NOT NULL, password_hash text,
  api_key_id uuid NOT NULL UNIQUE REFERENCES api_keys (id),
  last_login_at timestamptz, created_at timestamptz NOT NULL, updated_at timestamptz NOT NULL
);
CREATE UNIQUE INDEX users_email_key ON users (lower(email));
CREATE INDEX users_organization ON users (organization_id, id);
CREATE TABLE user_invitations (
  id uuid PRIMARY KEY, organization_id uuid NOT NULL REFERENCES organizations (id), token_hash text NOT NULL UNIQUE,
  email text NOT NULL, name text, role_name text NOT NULL, invited_by uuid REFERENCES users (id) ON DELETE CASCADE,
  created_at timestamptz NOT NULL, expires_at timestamptz NOT NULL, accepted_at timestamptz
);
CREATE UNIQUE INDEX user_invitations_email_key ON user_invitations (organization_id, lower(email))
  WHERE accepted_at IS NULL;
CREATE INDEX user_invitations_organization ON user_invitations (organization_id, id);
CREATE INDEX user_invitations_invited_by ON user_invitations (invited_by);
CREATE INDEX user_invitations_expiry ON user_invitations (expires_at);
CREATE TABLE password_resets (
  token_hash text PRIMARY KEY, organization_id uuid NOT NULL,
  user_id uuid NOT NULL REFERENCES users (id) ON DELETE CASCADE, expires_at timestamptz NOT NULL
);
CREATE INDEX password_resets_user ON password_resets (user_id);
CREATE INDEX password_resets_expiry ON password_resets (expires_at);
`
