/** Data of the installation. */
export const M0019Installation = /* sql */ `
CREATE TABLE installation (
  -- At most one row.
  single boolean PRIMARY KEY DEFAULT true CHECK (single),
  -- A constant signed with the master key: a wrong key is detected at startup, not by secrets that fail to decrypt.
  key_mark text NOT NULL
);
`
