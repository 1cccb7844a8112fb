import { Duration, Effect, Number, Option } from "effect"
import { KeyActivityRepo } from "../apiKeys/KeyActivityRepo.js"
import { CreationKeyRepo } from "../idempotency/CreationKeyRepo.js"
import { contentRetention, IdempotencyRepo, keyRetention } from "../messages/IdempotencyRepo.js"
import { SendSettings } from "../messages/SendContext.js"
import type { ScheduledJob } from "../ScheduledJob.js"
import { SessionRepo } from "../sessions/SessionRepo.js"
import { WebhookQueue } from "../webhooks/delivery/WebhookQueue.js"
import { deletionAge, PartitionRepo, partitionInterval } from "./PartitionRepo.js"
import { RetentionRepo } from "./RetentionRepo.js"
import { RetentionSettings } from "./RetentionSettings.js"

/** A tenth of the retention, so that data is deleted soon after it expires. */
export const retentionInterval = (retention: Duration.Duration): Duration.Duration =>
  Duration.clamp(Duration.times(retention, 0.1), { minimum: Duration.seconds(1), maximum: Duration.minutes(5) })

const expiring = (
  what: string,
  retention: Duration.Duration,
  erase: (retention: Duration.Duration) => ScheduledJob["round"]
): ScheduledJob => ({ what, every: retentionInterval(retention), round: erase(retention) })

/** Jobs that delete data after its retention; none for data without one. Partitions are created in any case. */
export const retentionJobs = Effect.gen(function* () {
  const { events, inboundRaw, keyActivity, messageBodies, webhookAttempts } = yield* RetentionSettings
  const { dedupeWindow } = yield* SendSettings
  const repo = yield* RetentionRepo
  const partitions = yield* PartitionRepo
  const sessions = yield* SessionRepo
  const webhooks = yield* WebhookQueue
  const keys = yield* KeyActivityRepo
  const creationKeys = yield* CreationKeyRepo
  const idempotency = yield* IdempotencyRepo
  const deleteSends = idempotency.deleteExpired({ keys: keyRetention, contents: contentRetention(dedupeWindow) })
  const optional = (what: string, retention: Option.Option<Duration.Duration>, erase: typeof repo.eraseBodies) =>
    Option.toArray(Option.map(retention, (limit) => expiring(what, limit, erase)))
  const updatePartitions = Effect.all([
    partitions.update("events", events),
    partitions.update("api_key_activity", Option.some(keyActivity)),
    partitions.update("webhook_attempts", Option.some(webhookAttempts)),
    partitions.update("webhook_deliveries", Option.some(webhookAttempts)),
    // The bodies that stay are those of deliveries that stay.
    partitions.update("webhook_bodies", Option.some(webhookAttempts))
  ])

  const jobs: ReadonlyArray<ScheduledJob> = [
    ...optional("Erasing expired bodies of messages", messageBodies, repo.eraseBodies),
    {
      what: "Creating and dropping partitions",
      every: partitionInterval,
      round: Effect.map(updatePartitions, Number.sumAll)
    },
    ...optional("Erasing expired events", events, (limit) => repo.eraseEvents(deletionAge(limit))),
    ...optional("Erasing expired logs of forwarding and blocks", events, repo.eraseMailLogs),
    ...optional("Erasing expired raw mails", inboundRaw, repo.eraseInboundRaw),
    expiring("Deleting expired webhook deliveries", webhookAttempts, webhooks.deleteExpired),
    expiring("Deleting expired key activity", keyActivity, (limit) => keys.deleteExpired(deletionAge(limit))),
    { what: "Deleting expired sessions", every: "1 hour", round: sessions.deleteExpired },
    {
      what: "Deleting expired sends",
      every: "1 hour",
      round: Effect.map(deleteSends, ({ contents, keys }) => keys + contents)
    },
    {
      what: "Deleting expired idempotency keys",
      every: "1 hour",
      round: creationKeys.deleteExpired(keyRetention)
    }
  ]
  return jobs
})
