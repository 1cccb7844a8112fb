/** Detects a participant that is removed during a send. */
export const M0018RemovedParticipants = /* sql */ `
-- The number of removed participants. A send reads it with its participants, and compares it when it counts its usage:
-- both transactions lock this row.
ALTER TABLE organization_usage ADD COLUMN participants_removed bigint NOT NULL DEFAULT 0;
`
