/** Voice agents, their workflows and knowledge bases, and calls. */
export const Voice = /* sql */ `
-- Agents that answer and make calls. The webhook of an agent is the endpoint with its id.
CREATE TABLE voice_agents (
  organization_id uuid NOT NULL REFERENCES organizations (id), id uuid NOT NULL, name text NOT NULL, description text,
  system_prompt text, voice_id text, language text, transport text NOT NULL,
  is_active boolean NOT NULL,
  created_at timestamptz NOT NULL, updated_at timestamptz NOT NULL,
  PRIMARY KEY (organization_id, id)
);

-- A draft graph, and the published one that calls follow. Type json keeps a graph exactly as its editor wrote it.
CREATE TABLE voice_workflows (
  organization_id uuid NOT NULL REFERENCES organizations (id), id uuid NOT NULL, voice_agent_id uuid,
  name text NOT NULL, description text, nodes json NOT NULL, edges json NOT NULL, viewport json, published_nodes json, published_edges json,
  published_viewport json, is_enabled boolean NOT NULL, version integer NOT NULL, published_at timestamptz,
  created_at timestamptz NOT NULL, updated_at timestamptz NOT NULL,
  PRIMARY KEY (organization_id, id),
  CONSTRAINT voice_workflows_agent_fkey
    FOREIGN KEY (organization_id, voice_agent_id) REFERENCES voice_agents (organization_id, id)
);
-- An agent has at most one workflow, which is read with it.
CREATE UNIQUE INDEX voice_workflows_agent_key
  ON voice_workflows (organization_id, voice_agent_id) WHERE voice_agent_id IS NOT NULL;

-- The knowledge bases of agents.
CREATE TABLE voice_knowledge_bases (
  organization_id uuid NOT NULL REFERENCES organizations (id), id uuid NOT NULL, name text NOT NULL, description text,
  -- The number of documents that are ready.
  document_count integer NOT NULL DEFAULT 0,
  created_at timestamptz NOT NULL, updated_at timestamptz NOT NULL,
  PRIMARY KEY (organization_id, id)
);

-- The documents of knowledge bases, and their pending uploads. The contents are in the object store.
CREATE TABLE voice_knowledge_documents (
  organization_id uuid NOT NULL, knowledge_base_id uuid NOT NULL, id uuid NOT NULL, filename text NOT NULL,
  content_type text NOT NULL, content_length integer NOT NULL, storage_key text NOT NULL, status text NOT NULL,
  -- The expiry of the upload link.
  upload_expires_at timestamptz NOT NULL,
  -- The process that stores the upload holds the document until then.
  held_until timestamptz,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (organization_id, id),
  CONSTRAINT voice_knowledge_documents_base_fkey
    FOREIGN KEY (organization_id, knowledge_base_id) REFERENCES voice_knowledge_bases (organization_id, id)
);
-- The documents of a knowledge base, newest first.
CREATE INDEX voice_knowledge_documents_base ON voice_knowledge_documents (organization_id, knowledge_base_id, id);
-- Documents with a pending upload, newest first.
CREATE INDEX voice_knowledge_documents_pending
  ON voice_knowledge_documents (organization_id, id) WHERE status = 'pending_upload';

-- Calls.
CREATE TABLE voice_calls (
  organization_id uuid NOT NULL REFERENCES organizations (id), id uuid NOT NULL,
  -- No foreign key: a call outlives its agent.
  voice_agent_id uuid NOT NULL,
  transport text NOT NULL, direction text NOT NULL, from_number text, to_number text NOT NULL, status text NOT NULL,
  call_control_id text, initiated_at timestamptz, answered_at timestamptz, ended_at timestamptz, duration_ms integer,
  recording_key text, transcript_key text, metadata json NOT NULL,
  -- The speed of simulated time (call seconds per second), its start, and the call time of the next known event.
  speed double precision NOT NULL,
  origin_at timestamptz, until_ms integer NOT NULL,
  -- The recorded spans, in call time.
  recorded json NOT NULL,
  hang_up_at timestamptz, created_at timestamptz NOT NULL, updated_at timestamptz NOT NULL, session_id text,
  summary text,
  -- The organization's number, and the conversation with the other party. No foreign keys: a call outlives both.
  phone_number_id uuid, conversation_id uuid,
  PRIMARY KEY (organization_id, id)
) WITH (fillfactor = 85);
-- The calls of an agent, newest first.
CREATE INDEX voice_calls_agent ON voice_calls (organization_id, voice_agent_id, id);
-- Calls by status, such as a few active or failed ones among many.
CREATE INDEX voice_calls_status ON voice_calls (organization_id, status, id);

-- The script and progress of a call. Deleted when the call needs no more work.
CREATE TABLE voice_call_runs (
  organization_id uuid NOT NULL, call_id uuid NOT NULL, script json NOT NULL, api_key_id uuid NOT NULL,
  may_send_messages boolean NOT NULL, progress json,
  -- The events of the carrier that were not processed.
  inbox jsonb NOT NULL DEFAULT '[]',
  PRIMARY KEY (organization_id, call_id),
  FOREIGN KEY (organization_id, call_id) REFERENCES voice_calls (organization_id, id) ON DELETE CASCADE
) WITH (fillfactor = 70);
`
