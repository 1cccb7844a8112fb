/** Contents of attachments are read in parts: PostgreSQL reads a part of an uncompressed value only. Most are compressed files. */
export const M0076AttachmentStorage = /* sql */ `
ALTER TABLE message_attachments ALTER COLUMN content SET STORAGE EXTERNAL;
`
