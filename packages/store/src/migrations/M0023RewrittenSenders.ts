/** Forwarding rules that rewrite the From header of the mail they forward. */
export const M0023RewrittenSenders = /* sql */ `
ALTER TABLE forwarding_rules ADD COLUMN rewrite_from boolean NOT NULL DEFAULT false;
`
