/** The state of a database that was restored from a backup. */
export const M0049RestoredCopies = /* sql */ `
ALTER TABLE installation
  -- Since when nothing is sent; NULL if it is not held.
  ADD COLUMN held_at timestamptz,
  -- Messages that were due before this time end without an attempt; NULL for none.
  ADD COLUMN ended_before timestamptz;
`
