/** What calls say of themselves when they are over, and the name of the conversation at its carrier. */
export const M0016CallSummaries = /* sql */ `
ALTER TABLE voice_calls ADD COLUMN session_id text, ADD COLUMN summary text;
`
