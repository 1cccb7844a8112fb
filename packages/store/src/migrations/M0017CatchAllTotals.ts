/** Totals of catch-alls that outlast their logs; old hours are merged into one row. */
export const M0017CatchAllTotals = /* sql */ `
-- The mails of erased forwardings. The row of the hour 'epoch' has the totals of old hours.
ALTER TABLE catch_all_counts ADD COLUMN forwarded bigint NOT NULL DEFAULT 0;
`
