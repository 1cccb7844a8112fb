import { lockTables } from "./PartitionTable.js"

/** Contents of attachments are read in parts: PostgreSQL reads a part of an uncompressed value only. Most are compressed files. */
export const M0076AttachmentStorage = /* sql */ `
DO $$ BEGIN${lockTables("message_attachments")}
END $$;

ALTER TABLE message_attachments ALTER COLUMN content SET STORAGE EXTERNAL;
`
