/** Voice agents, and the workflows of their calls. */
export const M0007Voice = /* sql */ `
CREATE TABLE voice_agents (
  organization_id uuid NOT NULL REFERENCES organizations (id),
  id uuid NOT NULL,
  name text NOT NULL,
  description text,
  system_prompt text,
  voice_id text,
  language text,
  transport text NOT NULL,
  -- The webhook for events of its calls. Headers and secret are encrypted. All NULL without a webhook.
  webhook_url text,
  webhook_events text[],
  webhook_headers bytea,
  webhook_secret bytea,
  is_active boolean NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (organization_id, id)
);

-- A draft graph, and the published one that calls follow. Type json keeps a graph exactly as its editor wrote it.
CREATE TABLE voice_workflows (
  organization_id uuid NOT NULL REFERENCES organizations (id),
  id uuid NOT NULL,
  voice_agent_id uuid,
  name text NOT NULL,
  description text,
  nodes json NOT NULL,
  edges json NOT NULL,
  viewport json,
  published_nodes json,
  published_edges json,
  published_viewport json,
  is_enabled boolean NOT NULL,
  version integer NOT NULL,
  published_at timestamptz,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (organization_id, id),
  CONSTRAINT voice_workflows_agent_fkey
    FOREIGN KEY (organization_id, voice_agent_id) REFERENCES voice_agents (organization_id, id)
);
-- An agent has at most one workflow, which is read with it.
CREATE UNIQUE INDEX voice_workflows_agent_key ON voice_workflows (organization_id, voice_agent_id)
  WHERE voice_agent_id IS NOT NULL;
`
