/** The changes that users and API keys made. */
export const M0086Audit = /* sql */ `
CREATE TABLE audit_entries (
  organization_id uuid NOT NULL, id uuid NOT NULL, at timestamptz NOT NULL, actor_type text NOT NULL,
  actor_id uuid NOT NULL, actor_name text NOT NULL, actor_email text, operation text NOT NULL, resource text NOT NULL, resource_id text,
  outcome text NOT NULL, changes json, ip_address text NOT NULL, user_agent text NOT NULL, request_id text,
  PRIMARY KEY (organization_id, id)
);
`
