/** How far what was kept long enough is erased. */
export const M0014Retention = /* sql */ `
-- Up to which id nothing is left to be looked at: what is kept for ever is not gone through again and again.
CREATE TABLE retention_marks (
  organization_id uuid NOT NULL,
  -- bodies or inbound_raw.
  kind text NOT NULL,
  done_to uuid NOT NULL,
  PRIMARY KEY (organization_id, kind)
);

-- Messages before the mark that were not final when they were looked at: their bodies are erased when they are.
CREATE TABLE retention_postponed (
  organization_id uuid NOT NULL,
  message_id uuid NOT NULL,
  PRIMARY KEY (organization_id, message_id)
);
`
