import type { QueueName } from "@switchboard/domain/system/SystemStatus"
import { type QueueTable, queueTables } from "../queues/QueueTables.js"

/** What the entries of each queue are. */
const entries: Record<QueueName, string> = {
  message: "Mails to send.",
  whatsapp: "WhatsApp messages to send.",
  sms: "Text messages to send.",
  webhook: "Webhook deliveries. The id is that of the delivery.",
  provider_event: "Receipts and received texts to process.",
  inbound: "Received mails to process. The id is that of the mail.",
  forwarding: "Mails to forward. The id is that of the forwarding.",
  voice_call: "Calls that need work. The id is that of the call."
}

/** The columns that some queues have. */
const columnTypes: Record<string, string> = {
  due_since: "timestamptz NOT NULL",
  endpoint_id: "uuid NOT NULL",
  // 0, or 1 for entries that wait behind the organization's entries of lane 0.
  lane: "smallint NOT NULL DEFAULT 0",
  message_id: "uuid NOT NULL"
}

/**
 * Ready entries by age. While the provider is down, only expired messages leave the queue. The index of ready entries
 * can't find them: a retry becomes ready long after it was due. Leased entries are not in it. The condition
 * "lease_expiries >= 0" is always true. It restricts the index to queries that repeat it: with stale statistics, leases
 * were planned with this index and scanned the queue once per organization.
 */
const ageIndex = (name: QueueName) => /* sql */ `-- Ready entries by age.
CREATE INDEX ${name}_queue_age ON ${name}_queue (due_since) WHERE lease_until IS NULL AND lease_expiries >= 0;
`

/**
 * The two tables of a queue (`queues/QueueTables.ts`). Entries that become ready later are separate, so that a million of
 * them do not slow the queue. Narrow, with a high turnover: vacuumed early.
 */
export const tablesOf = ({ columns, hasLanes, name, owner }: QueueTable) => {
  const others = columns.map((column) => `, ${column} ${columnTypes[column]}`).join("")
  return /* sql */ `
-- ${entries[name]}
CREATE TABLE ${name}_queue (
  organization_id uuid NOT NULL, id uuid NOT NULL${others}, ready_at timestamptz NOT NULL,
  worker text, lease_until timestamptz, lease_expiries integer NOT NULL DEFAULT 0,
  -- The start of the last lease's attempt. Kept until the next lease or an outcome.
  begun_at timestamptz,
  -- Whether the previous lease's attempt began and has no outcome.
  is_repeat boolean NOT NULL DEFAULT false,
  PRIMARY KEY (organization_id, id)
) WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 500,
  autovacuum_analyze_scale_factor = 0.02);
-- The next ready entry of an owner; and, by skipping from one to the next, all owners with ready entries.
CREATE INDEX ${name}_queue_ready ON ${name}_queue (${owner}${hasLanes ? ", lane" : ""}, ready_at, id)
  WHERE lease_until IS NULL;
-- Expired leases.
CREATE INDEX ${name}_queue_leases ON ${name}_queue (lease_until) WHERE lease_until IS NOT NULL;

CREATE TABLE ${name}_waiting (
  organization_id uuid NOT NULL, id uuid NOT NULL${others}, due_at timestamptz NOT NULL,
  PRIMARY KEY (organization_id, id)
) WITH (autovacuum_vacuum_scale_factor = 0.05);
-- Due entries.
CREATE INDEX ${name}_waiting_due ON ${name}_waiting (due_at);
${columns.includes("due_since") ? ageIndex(name) : ""}`
}

/** The work queues, and what holds deliveries up. */
export const Queues = /* sql */ `${Object.values(queueTables).map(tablesOf).join("")}
-- The entries of an endpoint, which are removed when it is paused or removed.
CREATE INDEX webhook_waiting_endpoint ON webhook_waiting (organization_id, endpoint_id);

-- The domain whose pause an entry waits for. When it ends, the entry is due.
ALTER TABLE message_waiting ADD COLUMN paused_domain_id uuid;
-- The entries that wait for the end of a domain's pause.
CREATE INDEX message_waiting_paused ON message_waiting (organization_id, paused_domain_id, id)
  WHERE paused_domain_id IS NOT NULL;

-- What an operator has paused: a channel, or an organization.
CREATE TABLE delivery_pauses (
  channel text UNIQUE, organization_id uuid UNIQUE REFERENCES organizations ON DELETE CASCADE,
  paused_at timestamptz NOT NULL DEFAULT now(),
  CHECK (num_nonnulls(channel, organization_id) = 1)
);

-- The relays that replied out of order, by host and port.
CREATE TABLE relay_faults (
  relay text PRIMARY KEY, out_of_order_at timestamptz NOT NULL
);

-- The MTA-STS policies of recipient domains (RFC 8461).
CREATE TABLE mta_sts_policies (
  -- Lower case, A-labels.
  domain text PRIMARY KEY,
  -- The id of the DNS record with which the policy was fetched.
  policy_id text NOT NULL,
  mode text NOT NULL, mx text[] NOT NULL, fetched_at timestamptz NOT NULL, expires_at timestamptz NOT NULL
);
-- Expired policies.
CREATE INDEX mta_sts_policies_expiry ON mta_sts_policies (expires_at);
`
