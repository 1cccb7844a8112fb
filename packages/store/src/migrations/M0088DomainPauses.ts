/** Pauses of domains: their state, the mails that wait for their end, and the figures that they are decided by. */
export const M0088DomainPauses = /* sql */ `
ALTER TABLE email_domains ADD COLUMN paused_at timestamptz, ADD COLUMN pause_reason text,
  ADD COLUMN pause_rate float8, ADD COLUMN pause_bound float8, ADD COLUMN pause_messages integer,
  ADD COLUMN resumed_at timestamptz;
CREATE INDEX email_domains_paused ON email_domains (paused_at) WHERE paused_at IS NOT NULL;
ALTER TABLE message_waiting ADD COLUMN paused_domain_id uuid;
CREATE INDEX message_waiting_paused ON message_waiting (organization_id, paused_domain_id, id)
  WHERE paused_domain_id IS NOT NULL;
-- The upgrade from 0.2.0 makes the table.
CREATE TABLE IF NOT EXISTS rollup_domains (
  organization_id uuid NOT NULL, domain text NOT NULL, quarter timestamptz NOT NULL, sent integer NOT NULL,
  bounced integer NOT NULL, complained integer NOT NULL,
  PRIMARY KEY (organization_id, domain, quarter)
) WITH (fillfactor = 50);
CREATE INDEX IF NOT EXISTS rollup_domains_quarter ON rollup_domains (quarter);
CREATE INDEX IF NOT EXISTS rollup_domains_returned ON rollup_domains (quarter) WHERE bounced > 0 OR complained > 0;
`
