/** The summary of a completed call, and the carrier's session id. */
export const M0016CallSummaries = /* sql */ `
ALTER TABLE voice_calls ADD COLUMN session_id text, ADD COLUMN summary text;
`
