/** Drafts that reply to a message. */
export const M0087DraftReplies = /* sql */ `
ALTER TABLE drafts ADD COLUMN in_reply_to_message_id uuid;
`
