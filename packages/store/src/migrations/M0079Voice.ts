import { webhookWants } from "../schema/Webhooks.js"

/** SQL: the events that wait for the webhooks of agents, with the time of the next attempt. */
const notices = `(
  SELECT organization_id, agent_id, event_id, retries_used, ready_at AS due_at FROM voice_notice_queue
  UNION ALL SELECT organization_id, agent_id, event_id, retries_used, due_at FROM voice_notice_waiting
)`

/**
 * The webhooks of voice agents become webhook endpoints, and their pending events become deliveries of these. Copy the
 * texts of `schema/` here before the release that follows 0.3.0 changes them.
 */
export const M0079Voice = /* sql */ `
ALTER TABLE webhook_endpoints ADD COLUMN type text NOT NULL DEFAULT 'webhook';
${webhookWants}
INSERT INTO webhook_endpoints (organization_id, id, type, name, slug, url, events, filters, rate_limit, priority, status,
  test_mode, created_at, updated_at)
SELECT organization_id, id, 'voice_agent', name, 'voice-agent-' || id, webhook_url, coalesce(webhook_events, '{}'), '{}', '{}',
  0, 'active', false, updated_at, updated_at FROM voice_agents WHERE webhook_url IS NOT NULL;
INSERT INTO webhook_endpoint_health (organization_id, endpoint_id)
SELECT organization_id, id FROM webhook_endpoints WHERE type = 'voice_agent';

INSERT INTO webhook_deliveries (organization_id, id, endpoint_id, event_id, event_type, status, attempts, retries_used,
  next_attempt_at, created_at)
SELECT n.organization_id, webhook_delivery_id(n.event_id, n.agent_id), n.agent_id, n.event_id, e.type, 'pending',
  n.retries_used, n.retries_used, n.due_at, e.created_at
FROM ${notices} AS n JOIN events AS e ON e.organization_id = n.organization_id AND e.id = n.event_id
  JOIN webhook_endpoints AS w ON w.organization_id = n.organization_id AND w.id = n.agent_id
ON CONFLICT DO NOTHING;
INSERT INTO webhook_queue (organization_id, endpoint_id, id, ready_at)
SELECT d.organization_id, d.endpoint_id, d.id, now() FROM webhook_deliveries AS d
  JOIN webhook_endpoints AS w ON w.organization_id = d.organization_id AND w.id = d.endpoint_id
WHERE w.type = 'voice_agent' AND d.next_attempt_at <= now();
INSERT INTO webhook_waiting (organization_id, endpoint_id, id, due_at)
SELECT d.organization_id, d.endpoint_id, d.id, d.next_attempt_at FROM webhook_deliveries AS d
  JOIN webhook_endpoints AS w ON w.organization_id = d.organization_id AND w.id = d.endpoint_id
WHERE w.type = 'voice_agent' AND d.next_attempt_at > now();

DROP TABLE voice_notice_queue, voice_notice_waiting;
ALTER TABLE voice_calls ADD COLUMN phone_number_id uuid, ADD COLUMN conversation_id uuid;
ALTER TABLE voice_call_runs DROP COLUMN rung, ADD COLUMN inbox jsonb NOT NULL DEFAULT '[]';
ALTER TABLE voice_agents DROP COLUMN webhook_url, DROP COLUMN webhook_events;
`
