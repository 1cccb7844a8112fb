/** Calls, their progress, and the notices to agents' webhooks. */
export const M0012VoiceCalls = /* sql */ `
CREATE TABLE voice_calls (
  organization_id uuid NOT NULL REFERENCES organizations (id),
  id uuid NOT NULL,
  -- No foreign key: a call outlives its agent.
  voice_agent_id uuid NOT NULL,
  transport text NOT NULL,
  direction text NOT NULL,
  from_number text,
  to_number text NOT NULL,
  status text NOT NULL,
  call_control_id text,
  initiated_at timestamptz,
  answered_at timestamptz,
  ended_at timestamptz,
  duration_ms integer,
  recording_key text,
  transcript_key text,
  metadata json NOT NULL,
  -- The speed of simulated time (call seconds per second), its start, and the call time up to which no work is needed.
  speed double precision NOT NULL,
  origin_at timestamptz,
  until_ms integer NOT NULL,
  -- The recorded spans, in call time.
  recorded json NOT NULL,
  hang_up_at timestamptz,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (organization_id, id)
) WITH (fillfactor = 85);
-- The calls of an agent, newest first.
CREATE INDEX voice_calls_agent ON voice_calls (organization_id, voice_agent_id, id);
-- Calls by status, such as a few active or failed ones among many.
CREATE INDEX voice_calls_status ON voice_calls (organization_id, status, id);

-- The script and progress of a call. Deleted when the call needs no more work.
CREATE TABLE voice_call_runs (
  organization_id uuid NOT NULL,
  call_id uuid NOT NULL,
  script json NOT NULL,
  api_key_id uuid NOT NULL,
  may_send_messages boolean NOT NULL,
  rung json,
  progress json,
  PRIMARY KEY (organization_id, call_id),
  FOREIGN KEY (organization_id, call_id) REFERENCES voice_calls (organization_id, id) ON DELETE CASCADE
) WITH (fillfactor = 70);

-- Calls that need work now, in the form of message_queue.
CREATE TABLE voice_call_queue (
  organization_id uuid NOT NULL,
  -- The call.
  id uuid NOT NULL,
  ready_at timestamptz NOT NULL,
  worker text,
  lease_until timestamptz,
  takeovers integer NOT NULL DEFAULT 0,
  PRIMARY KEY (organization_id, id)
) WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 500, autovacuum_analyze_scale_factor = 0.02);
-- The next ready entry of an organization; and, by skipping from one to the next, all organizations with ready entries.
CREATE INDEX voice_call_queue_ready ON voice_call_queue (organization_id, ready_at, id) WHERE lease_until IS NULL;
-- Expired leases.
CREATE INDEX voice_call_queue_leases ON voice_call_queue (lease_until) WHERE lease_until IS NOT NULL;

-- Calls that need no work until due_at.
CREATE TABLE voice_call_waiting (
  organization_id uuid NOT NULL,
  id uuid NOT NULL,
  due_at timestamptz NOT NULL,
  takeovers integer NOT NULL DEFAULT 0,
  PRIMARY KEY (organization_id, id)
) WITH (autovacuum_vacuum_scale_factor = 0.05);
-- Due entries.
CREATE INDEX voice_call_waiting_due ON voice_call_waiting (due_at);

-- Events for the webhooks of agents, ready for a worker or leased by one.
CREATE TABLE voice_notice_queue (
  organization_id uuid NOT NULL,
  agent_id uuid NOT NULL,
  id uuid NOT NULL,
  event_id uuid NOT NULL,
  -- The number of used delays of the retry schedule.
  retries_used integer NOT NULL DEFAULT 0,
  ready_at timestamptz NOT NULL,
  worker text,
  lease_until timestamptz,
  takeovers integer NOT NULL DEFAULT 0,
  PRIMARY KEY (organization_id, id)
) WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 500, autovacuum_analyze_scale_factor = 0.02);
-- The next ready entry of an agent; and, by skipping from one to the next, all agents with ready entries.
CREATE INDEX voice_notice_queue_ready ON voice_notice_queue (agent_id, ready_at, id) WHERE lease_until IS NULL;
-- Expired leases.
CREATE INDEX voice_notice_queue_leases ON voice_notice_queue (lease_until) WHERE lease_until IS NOT NULL;

-- Retries that become ready later.
CREATE TABLE voice_notice_waiting (
  organization_id uuid NOT NULL,
  agent_id uuid NOT NULL,
  id uuid NOT NULL,
  event_id uuid NOT NULL,
  retries_used integer NOT NULL,
  due_at timestamptz NOT NULL,
  takeovers integer NOT NULL DEFAULT 0,
  PRIMARY KEY (organization_id, id)
) WITH (autovacuum_vacuum_scale_factor = 0.05);
-- Due entries.
CREATE INDEX voice_notice_waiting_due ON voice_notice_waiting (due_at);
`
