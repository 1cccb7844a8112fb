/** What catch-alls have done stays known when the log of it is erased, and hours that nobody asks for become one. */
export const M0017CatchAllTotals = /* sql */ `
-- What went on of mail whose forwardings are erased; in the row of the hour 'epoch' stands what is longer ago.
ALTER TABLE catch_all_counts ADD COLUMN forwarded bigint NOT NULL DEFAULT 0;
`
