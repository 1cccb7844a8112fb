/** What is known of the installation as a whole. */
export const M0019Installation = /* sql */ `
CREATE TABLE installation (
  -- There is one row at most.
  single boolean PRIMARY KEY DEFAULT true CHECK (single),
  -- What the master key signs a constant with: another key is found out at the start, not by secrets that don't open.
  key_mark text NOT NULL
);
`
