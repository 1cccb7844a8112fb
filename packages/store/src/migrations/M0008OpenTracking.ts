/** Whether a message has open tracking. False for messages of earlier releases. */
export const M0008OpenTracking = /* sql */ `
ALTER TABLE messages ADD COLUMN track_opens boolean NOT NULL DEFAULT false;
`
