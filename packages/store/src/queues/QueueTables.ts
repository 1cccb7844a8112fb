import { PgClient } from "@effect/sql-pg"
import type { QueueName } from "@switchboard/domain/system/SystemStatus"
import { logThrottled } from "@switchboard/services/LogThrottle"
import type { SendingChannel } from "@switchboard/services/messages/delivery/DeliveryQueue"
import { Context, Data, Effect, Layer, PubSub, RcRef, Record, Redacted, Schedule, Stream } from "effect"
import { connectionTo } from "../database/DatabaseHosts.js"

/**
 * The two tables of a queue, both with the primary key (`organization_id`, `id`). `<name>_queue` has the entries that
 * are ready for a worker (`lease_until` is NULL) or leased by one, with `ready_at`, `worker`, `lease_until`,
 * `lease_expiries`, `begun_at`, `is_repeat`, and an index on (owner, ready_at, id) of the ready ones. `worker` is the last
 * holder, also after its lease expired. `<name>_waiting` has the entries that become ready at `due_at`.
 *
 * `ready_at` is the time of the transaction that makes the entry ready, or an earlier time that the entry had before.
 */
export interface QueueTable {
  readonly name: QueueName
  /** The column with the owner of an entry. Leases are shared fairly between owners. */
  readonly owner: string
  /** The columns of both tables besides the key. */
  readonly columns: ReadonlyArray<string>
  /** The notification channel for entries that became ready. */
  readonly channel: string
  /**
   * Whether entries have a column `lane`, by which the index is ordered after the owner: entries of lane 1 wait behind
   * the owner's entries of lane 0, but get one turn in `turnsPerRound`. Otherwise all entries are in lane 0.
   */
  readonly hasLanes: boolean
}

const table = (
  name: QueueName,
  channel: string,
  owner = "organization_id",
  columns: ReadonlyArray<string> = []
): QueueTable => ({ name, owner, columns, channel, hasLanes: columns.includes("lane") })

/** All queues. */
export const queueTables = {
  message: table("message", "switchboard_queue", "organization_id", ["message_id", "due_since", "lane"]),
  sms: table("sms", "switchboard_sms", "organization_id", ["message_id", "due_since", "lane"]),
  whatsapp: table("whatsapp", "switchboard_whatsapp", "organization_id", ["message_id", "due_since", "lane"]),
  webhook: table("webhook", "switchboard_webhooks", "endpoint_id", ["endpoint_id"]),
  inbound: table("inbound", "switchboard_inbound"),
  provider_event: table("provider_event", "switchboard_provider_events"),
  forwarding: table("forwarding", "switchboard_forwarding"),
  voice_call: table("voice_call", "switchboard_voice_calls")
} satisfies Record<QueueName, QueueTable>

/** The queue of each channel's messages. */
export const channelQueues: { readonly [Channel in SendingChannel]: QueueTable } = {
  email: queueTables.message,
  sms: queueTables.sms,
  whatsapp: queueTables.whatsapp
}

/** The channels that messages are sent over. */
export const sendingChannels = Record.keys(channelQueues)

/** The payload of a notification that entries are ready again, with their earlier `ready_at`. */
export const returned = "returned"

/** SQL: notifies the workers of a queue when the transaction commits. */
export const notify = ({ channel }: QueueTable, payload: "" | typeof returned = "") =>
  `pg_notify('${channel}', '${payload}')`

/** SQL: the same with the owner of the new entries in the table `entries` as payload, if all have the same one. */
export const notifyOwner = ({ channel, owner }: QueueTable, entries: string) =>
  `(SELECT pg_notify('${channel}', CASE WHEN min(owner) = max(owner) THEN min(owner) ELSE '' END)
    FROM (SELECT ${owner}::text AS owner FROM ${entries}) AS o HAVING count(*) > 0)`

/** SQL: the lane of an entry `q`. */
export const laneOf = ({ hasLanes }: QueueTable) => (hasLanes ? "q.lane" : "0")

/** SQL: a time as microseconds since 1970, which a number in JavaScript represents exactly. */
export const toMicros = (time: string) => `(extract(epoch FROM ${time}) * 1000000)::float8`

/** SQL: the time of microseconds since 1970. */
export const fromMicros = (micros: string) => `to_timestamp(${micros}::float8 / 1000000)`

/** SQL: a time that most transactions have before they commit. */
export const settledBefore = "now() - interval '500 milliseconds'"

/**
 * SQL: the time before which all entries are visible, except those of transactions longer than ten seconds. An entry has
 * the time of its transaction's start: marks must not be later than that of a transaction in progress that has written.
 */
export const visibleBefore = `least(${settledBefore}, (
  SELECT min(xact_start) FROM pg_stat_get_activity(NULL) WHERE backend_xid IS NOT NULL
    AND xact_start > now() - interval '10 seconds' AND datid = (SELECT oid FROM pg_database WHERE datname = current_database())))`

class ListenerLost extends Data.TaggedError("ListenerLost")<{ readonly cause: unknown }> {}

interface Notification {
  /** Null when the connection is made: earlier notifications may have been missed. */
  readonly channel: string | null
  readonly payload: string
}

const connected: Notification = { channel: null, payload: returned }

const listenStatement = Object.values(queueTables)
  .map(({ channel }) => `LISTEN ${channel}`)
  .join("; ")

/** The notifications of all queues, over a separate connection, which is reopened when it is lost. */
const notified = (Connection: ReturnType<typeof connectionTo>): Stream.Stream<Notification> =>
  Stream.asyncScoped<Notification, ListenerLost>((emit) =>
    Effect.gen(function* () {
      const client = yield* Effect.acquireRelease(
        Effect.sync(
          () =>
            new Connection({
              connectionTimeoutMillis: 3_000,
              keepAlive: true,
              keepAliveInitialDelayMillis: 10_000,
              application_name: "switchboard-listen"
            })
        ),
        // A server that hangs does not close the connection.
        (connection) =>
          Effect.tryPromise(() => connection.end()).pipe(
            Effect.interruptible,
            Effect.timeout("1 second"),
            Effect.ignore
          )
      )
      const lost = (cause: unknown) => void emit.fail(new ListenerLost({ cause }))
      client.on("error", lost)
      client.on("end", () => lost("the connection ended"))
      client.on("notification", ({ channel, payload = "" }) => void emit.single({ channel, payload }))
      yield* Effect.tryPromise({
        try: async () => {
          await client.connect()
          await client.query(listenStatement)
        },
        catch: (cause) => new ListenerLost({ cause })
      })
      void emit.single(connected)
    })
  ).pipe(
    Stream.tapError(({ cause }) =>
      logThrottled(
        "notifications",
        Effect.logWarning("The connection for database notifications was lost; polling continues", cause)
      )
    ),
    Stream.retry(Schedule.jittered(Schedule.spaced("1 second"))),
    Stream.catchAll(() => Stream.empty)
  )

/** Database notifications (LISTEN): one connection per process, while there are subscribers. */
export class Notifications extends Context.Tag("store/Notifications")<
  Notifications,
  {
    /**
     * Emits the payload when the channel was notified; `returned` when it may have been during a reconnect. Never ends.
     */
    readonly on: (channel: string) => Stream.Stream<string>
  }
>() {}

export const NotificationsLive = Layer.scoped(
  Notifications,
  Effect.gen(function* () {
    const { config } = yield* PgClient.PgClient
    const Connection = connectionTo(Redacted.value(config.url ?? Redacted.make("")))
    const shared = yield* RcRef.make({
      acquire: Effect.gen(function* () {
        const channels = yield* PubSub.unbounded<Notification>()
        yield* notified(Connection).pipe(
          Stream.runForEach((notification) => PubSub.publish(channels, notification)),
          Effect.forkScoped
        )
        return channels
      })
    })
    return {
      on: (channel) =>
        Effect.gen(function* () {
          const channels = yield* PubSub.subscribe(yield* RcRef.get(shared))
          return Stream.concat(Stream.make(connected), Stream.fromQueue(channels)).pipe(
            Stream.filter((one) => one.channel === channel || one.channel === null),
            Stream.map(({ payload }) => payload)
          )
        }).pipe(Stream.unwrapScoped)
    }
  })
)
