/** Knowledge bases with their documents, and pending removals from the object store. */
export const M0009KnowledgeBases = /* sql */ `
CREATE TABLE voice_knowledge_bases (
  organization_id uuid NOT NULL REFERENCES organizations (id),
  id uuid NOT NULL,
  name text NOT NULL,
  description text,
  -- The number of documents that are ready.
  document_count integer NOT NULL DEFAULT 0,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (organization_id, id)
);

CREATE TABLE voice_knowledge_documents (
  organization_id uuid NOT NULL,
  knowledge_base_id uuid NOT NULL,
  id uuid NOT NULL,
  filename text NOT NULL,
  content_type text NOT NULL,
  content_length integer NOT NULL,
  storage_key text NOT NULL,
  status text NOT NULL,
  -- The expiry of the upload link.
  upload_expires_at timestamptz NOT NULL,
  -- A request or worker that processes the upload holds the document until then.
  held_until timestamptz,
  -- The next check for the upload. A worker moves it forward before the check, so that other workers skip it.
  look_at timestamptz NOT NULL,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (organization_id, id),
  CONSTRAINT voice_knowledge_documents_base_fkey
    FOREIGN KEY (organization_id, knowledge_base_id) REFERENCES voice_knowledge_bases (organization_id, id)
);
-- The documents of a knowledge base, newest first.
CREATE INDEX voice_knowledge_documents_base ON voice_knowledge_documents (organization_id, knowledge_base_id, id);
-- Documents with a pending upload, by their next check.
CREATE INDEX voice_knowledge_documents_look ON voice_knowledge_documents (look_at) WHERE status = 'pending_upload';

-- Unused objects to remove. Written in the transaction that makes them unused, so that no crash leaves them behind.
CREATE TABLE object_removals (
  organization_id uuid NOT NULL,
  key text NOT NULL,
  due_at timestamptz NOT NULL,
  PRIMARY KEY (organization_id, key)
);
-- Due removals.
CREATE INDEX object_removals_due ON object_removals (due_at);
`
