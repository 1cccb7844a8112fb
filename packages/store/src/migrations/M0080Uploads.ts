/** Pending uploads are checked when their knowledge bases are read, and no longer by a scheduled job. */
export const M0080Uploads = /* sql */ `
DROP INDEX voice_knowledge_documents_look;
ALTER TABLE voice_knowledge_documents DROP COLUMN look_at;
CREATE INDEX voice_knowledge_documents_pending
  ON voice_knowledge_documents (organization_id, id) WHERE status = 'pending_upload';
`
