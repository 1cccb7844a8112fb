import { Duration, Effect, Option } from "effect"
import { KeyActivityRepo } from "../apiKeys/KeyActivityRepo.js"
import { contentRetention, IdempotencyRepo, keyRetention } from "../messages/IdempotencyRepo.js"
import { SendSettings } from "../messages/SendSettings.js"
import type { ScheduledJob } from "../ScheduledJob.js"
import { SessionRepo } from "../sessions/SessionRepo.js"
import { WebhookQueue } from "../webhooks/delivery/WebhookQueue.js"
import { RetentionRepo } from "./RetentionRepo.js"
import { RetentionSettings } from "./RetentionSettings.js"

/** A tenth of the retention, so that nothing is kept for much longer. */
export const retentionInterval = (retention: Duration.Duration): Duration.Duration =>
  Duration.clamp(Duration.times(retention, 0.1), { minimum: Duration.seconds(1), maximum: Duration.minutes(5) })

const expiring = (
  what: string,
  retention: Duration.Duration,
  erase: (retention: Duration.Duration) => ScheduledJob["round"]
): ScheduledJob => ({ what, every: retentionInterval(retention), round: erase(retention) })

/** Jobs that delete data after its retention; none for data that is kept without a limit. */
export const retentionJobs = Effect.gen(function* () {
  const { events, inboundRaw, keyActivity, messageBodies, webhookAttempts } = yield* RetentionSettings
  const { dedupeWindow } = yield* SendSettings
  const repo = yield* RetentionRepo
  const sessions = yield* SessionRepo
  const webhooks = yield* WebhookQueue
  const keys = yield* KeyActivityRepo
  const idempotency = yield* IdempotencyRepo
  const deleteSends = idempotency.deleteExpired({ keys: keyRetention, contents: contentRetention(dedupeWindow) })
  const optional = (what: string, retention: Option.Option<Duration.Duration>, erase: typeof repo.eraseBodies) =>
    Option.toArray(Option.map(retention, (limit) => expiring(what, limit, erase)))

  const jobs: ReadonlyArray<ScheduledJob> = [
    ...optional("Erasing expired bodies of messages", messageBodies, repo.eraseBodies),
    ...optional("Erasing expired events", events, repo.eraseEvents),
    ...optional("Erasing expired logs of forwarding and blocks", events, repo.eraseMailLogs),
    ...optional("Erasing expired mails as they came in", inboundRaw, repo.eraseInboundRaw),
    expiring("Deleting expired webhook deliveries", webhookAttempts, webhooks.forget),
    expiring("Deleting expired activity of keys", keyActivity, keys.forget),
    { what: "Deleting expired sessions", every: "1 hour", round: sessions.deleteExpired },
    {
      what: "Deleting expired sends",
      every: "1 hour",
      round: Effect.map(deleteSends, ({ contents, keys }) => keys + contents)
    }
  ]
  return jobs
})
