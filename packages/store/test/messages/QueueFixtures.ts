import { SqlClient } from "@effect/sql"
import { DeliveryOutcome } from "@switchboard/domain/messages/delivery/DeliveryOutcome"
import type { MessageId } from "@switchboard/domain/messages/Message"
import { nextAttemptAt, settled, withinQueueLifetime } from "@switchboard/domain/messages/state/MessageLifecycle"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { DeliveryQueues, type TakenMessage } from "@switchboard/services/messages/delivery/DeliveryQueue"
import { decodeMessage, MessageRepo } from "@switchboard/services/messages/MessageRepo"
import type { PausedDomain } from "@switchboard/services/queues/PauseRepo"
import { DateTime, Duration, Effect, Layer } from "effect"
import { withoutAutovacuum } from "../queues/QueueEntries.js"
import { OwnStoreLive } from "../StoreLive.js"
import { makeOrganization, newMessage } from "./Fixtures.js"

/** The store on the test file's own database. */
export const OwnLive = Layer.provideMerge(withoutAutovacuum, OwnStoreLive)

/** The queue of mails. */
export const mailQueue = Effect.map(DeliveryQueues, ({ email }) => email)

/** Accepts this many messages with different contents. */
export const accept = (own: OrganizationId, count: number) =>
  Effect.gen(function* () {
    const repo = yield* MessageRepo
    const messages = yield* Effect.replicateEffect(newMessage(own), count)
    return yield* Effect.forEach(messages, (message) => Effect.map(repo.accept(message), (one) => one.message), {
      concurrency: "unbounded"
    })
  })

/** Leases messages, by default without limits. */
export const take = (
  worker: string,
  options: {
    readonly limit?: number
    readonly perOwner?: number
    readonly skipped?: ReadonlyArray<OrganizationId>
    readonly attachmentBytes?: number | null
    readonly expiredOnly?: boolean
    readonly pausedDomains?: ReadonlyArray<PausedDomain>
  } = {}
) =>
  Effect.flatMap(mailQueue, (queue) =>
    queue.take({
      worker,
      limit: options.limit ?? 1000,
      perOwner: options.perOwner ?? options.limit ?? 1000,
      skipped: options.skipped ?? [],
      except: [],
      attachmentBytes: options.attachmentBytes === undefined ? Number.POSITIVE_INFINITY : options.attachmentBytes,
      lease: Duration.seconds(60),
      expiredOnly: options.expiredOnly ?? false,
      pausedDomains: options.pausedDomains ?? []
    })
  )

export const keysOf = (taken: ReadonlyArray<TakenMessage>) =>
  taken.map(({ organizationId, queueId }) => ({ organizationId, id: queueId }))

/** Marks leased messages as begun. */
export const begin = (worker: string, taken: ReadonlyArray<TakenMessage>) =>
  Effect.flatMap(mailQueue, (queue) => queue.begin(worker, keysOf(taken), Duration.seconds(60)))

/** Stores that leased messages are attempted. */
export const storeProgress = (worker: string, taken: ReadonlyArray<TakenMessage>) =>
  Effect.flatMap(mailQueue, (queue) =>
    queue.settle(
      worker,
      taken.map((message) => ({ message, decide: (state) => ({ state, retryAt: "held" }) }))
    )
  )

/** Settles leased messages with the same outcome. */
export const settle = (worker: string, taken: ReadonlyArray<TakenMessage>, outcome: DeliveryOutcome) =>
  Effect.gen(function* () {
    const queue = yield* mailQueue
    const now = yield* DateTime.now
    yield* queue.settle(
      worker,
      taken.map((message) => ({
        message,
        decide: (state) => {
          const bounded = withinQueueLifetime(outcome, message.dueSince)
          const after = settled(state, bounded, "accept", now)
          return { state: after, retryAt: nextAttemptAt(after, bounded, now) }
        }
      }))
    )
  })

/** The relay accepted the message. */
export const delivered = DeliveryOutcome.Replied({
  replies: [{ recipient: "ada@example.com", verdict: "accepted", smtpCode: 250, response: "ok" }],
  response: "250 ok",
  providerMessageId: null,
  retryAt: null
})

/** The status histories of an organization's messages. */
export const statuses = (own: OrganizationId) =>
  Effect.flatMap(MessageRepo, (repo) =>
    Effect.map(repo.list(own, {}, { page: 1, limit: 100 }), ({ items }) =>
      items.map((item) => (decodeMessage(item).statusHistory ?? []).map(({ status }) => status).join(" "))
    )
  )

/** Removes the entries of other tests. Returns a new organization with the queue and the repository of its messages. */
export const emptyQueue = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`TRUNCATE message_queue, message_waiting`
  return { own: yield* makeOrganization(), queue: yield* mailQueue, repo: yield* MessageRepo, sql }
})

/** Copies an accepted message and its queue entry many times. */
export const multiply = (id: MessageId, times: number) =>
  Effect.flatMap(
    SqlClient.SqlClient,
    (sql) => sql`WITH copies AS MATERIALIZED (
      SELECT gen_random_uuid() AS id, gen_random_uuid() AS entry FROM generate_series(1, ${times})
    ), m AS (
      INSERT INTO messages SELECT (jsonb_populate_record(o, jsonb_build_object('id', c.id))).*
      FROM messages AS o CROSS JOIN copies AS c WHERE o.id = ${id}
    ), s AS (
      INSERT INTO message_states (organization_id, message_id, status, status_history, deliveries, retry_count,
        max_retries, delivery_attempts, updated_at)
      SELECT organization_id, c.id, status, status_history, deliveries, retry_count, max_retries, delivery_attempts,
        updated_at
      FROM message_states AS o, copies AS c WHERE o.message_id = ${id}
    )
    INSERT INTO message_queue
    SELECT (jsonb_populate_record(o, jsonb_build_object('id', c.entry, 'message_id', c.id))).*
    FROM message_queue AS o, copies AS c WHERE o.message_id = ${id}`
  )

/** The number of entries that this transaction has read, with any plan. */
export const entriesRead = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  Effect.map(
    sql<{ entries: number }>`SELECT (seq_tup_read + coalesce(idx_tup_fetch, 0))::int AS entries
      FROM pg_stat_xact_user_tables WHERE relname = 'message_queue'`,
    ([row]) => row?.entries ?? 0
  )
)
