import type { ReceivedAttachment } from "@switchboard/services/email/receiving/ReceivedMessageRepo"

/** The value of the column `attachments json` of `new_messages`. */
export const receivedFiles = (files: ReadonlyArray<ReceivedAttachment>) =>
  files.map((file, position) => ({ position, ...file }))

/** SQL: stores the files of received messages in the CTE `new_messages`. */
export const insertReceivedFiles = /* sql */ `
INSERT INTO inbound_attachments (organization_id, message_id, position, id, filename, content_type, content_id, size,
  object_key)
SELECT g.organization_id, g.id, a.position, a.id, a.filename, a."contentType", a."contentId", a.size, a.key
FROM new_messages AS g CROSS JOIN LATERAL json_to_recordset(g.attachments) AS a(position int, id uuid, filename text,
  "contentType" text, "contentId" text, size int, key text)`
