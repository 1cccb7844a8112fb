/**
 * Forwardings that become ready later, as in all other queues. Entries of an earlier release that wait in
 * `forwarding_queue` become ready when their lease expires.
 */
export const M0024WaitingForwardings = /* sql */ `
CREATE TABLE forwarding_waiting (
  organization_id uuid NOT NULL,
  id uuid NOT NULL,
  due_at timestamptz NOT NULL,
  PRIMARY KEY (organization_id, id)
) WITH (autovacuum_vacuum_scale_factor = 0.05);
-- Due entries.
CREATE INDEX forwarding_waiting_due ON forwarding_waiting (due_at);
`
