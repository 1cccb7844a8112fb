import type { QueueName } from "@switchboard/services/queues/QueueDepths"

/**
 * The two tables of a queue, both with the key (`organization_id`, `id`). `<name>_queue` has the entries that are ready
 * for a worker (`lease_until` is null) or leased to one, with `ready_at`, `worker`, `lease_until`, `takeovers`,
 * `begun_at`, `is_repeat`, and an index on (owner, ready_at, id) of the ready ones. `worker` is the last holder: a lease
 * that ran out leaves it in place. `<name>_waiting` has the entries that become ready at `due_at`.
 */
export interface QueueTable {
  readonly name: QueueName
  /** The column with the owner of an entry: owners take turns. */
  readonly owner: string
  /** The columns of both tables besides the key. */
  readonly columns: ReadonlyArray<string>
  /** The channel of the notification that entries became ready. */
  readonly channel: string
}

const table = (
  name: QueueName,
  channel: string,
  owner = "organization_id",
  columns: ReadonlyArray<string> = []
): QueueTable => ({ name, owner, columns, channel })

/** All queues. */
export const queueTables = {
  message: table("message", "switchboard_queue", "organization_id", ["message_id", "due_since"]),
  webhook: table("webhook", "switchboard_webhooks", "endpoint_id", ["endpoint_id"]),
  inbound: table("inbound", "switchboard_inbound"),
  forwarding: table("forwarding", "switchboard_forwarding"),
  voice_call: table("voice_call", "switchboard_voice_calls"),
  voice_notice: table("voice_notice", "switchboard_voice_notices", "agent_id", ["agent_id", "event_id", "retries_used"])
} satisfies Record<QueueName, QueueTable>

/** The SQL call that wakes the workers of a queue when the transaction commits. */
export const notify = ({ channel }: QueueTable) => `pg_notify('${channel}', '')`
