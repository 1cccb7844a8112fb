/** The lane of a message's entry. An earlier release adds entries without a lane: they are in lane 0. */
export const M0027MessageLanes = /* sql */ `
-- 0, or 1 for entries that wait behind the organization's entries of lane 0.
ALTER TABLE message_queue ADD COLUMN lane smallint NOT NULL DEFAULT 0;
ALTER TABLE message_waiting ADD COLUMN lane smallint NOT NULL DEFAULT 0;
`
