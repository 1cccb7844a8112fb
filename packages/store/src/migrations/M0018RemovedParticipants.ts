/** A send that found a contact proves that it is still there. */
export const M0018RemovedParticipants = /* sql */ `
-- How many participants were removed. A send reads it with the participants that it names, and proves it where it is
-- counted: that row is locked by both.
ALTER TABLE organization_usage ADD COLUMN participants_removed bigint NOT NULL DEFAULT 0;
`
