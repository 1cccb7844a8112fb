/** Erasures that can be continued after an interruption. */
export const M0044Erasures = /* sql */ `
-- Unfinished runs of erasures. A row has no personal data: the id is a slow hash of the address, and keys with text are
-- not stored.
CREATE TABLE erasures (
  id text PRIMARY KEY,
  started_at timestamptz NOT NULL,
  -- The table and the key up to which rows are searched; NULL at the beginning.
  position json,
  -- The counts of erased and of remaining records, by kind.
  erased json NOT NULL DEFAULT '[]',
  remaining json NOT NULL DEFAULT '[]'
);
`
