/** The second factor of users. Its secret is in `secrets`. */
export const M0090SecondFactors = /* sql */ `
ALTER TABLE users ADD COLUMN totp_last_step integer, ADD COLUMN recovery_code_hashes text[] NOT NULL DEFAULT '{}';
`
