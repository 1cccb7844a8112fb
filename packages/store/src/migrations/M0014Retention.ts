/** The progress of retention. */
export const M0014Retention = /* sql */ `
-- The id up to which all rows are done, so that rows that are kept forever are not read again.
CREATE TABLE retention_marks (
  organization_id uuid NOT NULL,
  -- bodies or inbound_raw.
  kind text NOT NULL,
  done_to uuid NOT NULL,
  PRIMARY KEY (organization_id, kind)
);

-- Messages before the mark that were not final when they were read: their bodies are erased later.
CREATE TABLE retention_postponed (
  organization_id uuid NOT NULL,
  message_id uuid NOT NULL,
  PRIMARY KEY (organization_id, message_id)
);
`
