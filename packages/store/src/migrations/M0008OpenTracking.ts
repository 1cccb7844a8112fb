/** Whether a message's mail tells that it is opened. Those of before do not; those of a release before this either. */
export const M0008OpenTracking = /* sql */ `
ALTER TABLE messages ADD COLUMN track_opens boolean NOT NULL DEFAULT false;
`
