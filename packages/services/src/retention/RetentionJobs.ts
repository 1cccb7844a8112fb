import { Duration, Effect, Number, Option } from "effect"
import { MailReportRepo } from "../email/reports/MailReportRepo.js"
import { CreationKeyRepo } from "../idempotency/CreationKeyRepo.js"
import { MtaStsPolicyRepo } from "../messages/delivery/MtaStsPolicyRepo.js"
import { contentRetention, IdempotencyRepo, keyRetention } from "../messages/IdempotencyRepo.js"
import { SendSettings } from "../messages/SendContext.js"
import type { ScheduledJob } from "../ScheduledJob.js"
import { SessionRepo } from "../sessions/SessionRepo.js"
import { InvitationRepo } from "../users/InvitationRepo.js"
import { type PartitionedTable, partitionedTables, RetentionRepo } from "./RetentionRepo.js"
import { defaultReportRetention, defaultRetention, RetentionSettings } from "./RetentionSettings.js"

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
  const { audit, events, inboundRaw, keyActivity, messageBodies, webhookAttempts } = yield* RetentionSettings
  const { dedupeWindow } = yield* SendSettings
  const repo = yield* RetentionRepo
  const sessions = yield* SessionRepo
  const invitations = yield* InvitationRepo
  const creationKeys = yield* CreationKeyRepo
  const idempotency = yield* IdempotencyRepo
  const mtaStsPolicies = yield* MtaStsPolicyRepo
  const reports = yield* MailReportRepo
  const deleteSends = idempotency.deleteExpired({ keys: keyRetention, contents: contentRetention(dedupeWindow) })
  const optional = (what: string, retention: Option.Option<Duration.Duration>, erase: typeof repo.eraseBodies) =>
    Option.toArray(Option.map(retention, (limit) => expiring(what, limit, erase)))
  const partitions: Readonly<Record<PartitionedTable, Option.Option<Duration.Duration>>> = {
    events,
    api_key_activity: Option.some(keyActivity),
    webhook_attempts: Option.some(webhookAttempts),
    webhook_deliveries: Option.some(webhookAttempts),
    webhook_bodies: Option.some(webhookAttempts)
  }
  const updatePartitions = Effect.forEach(partitionedTables, (table) => repo.updatePartitions(table, partitions[table]))

  const jobs: ReadonlyArray<ScheduledJob> = [
    ...optional("Erasing expired bodies of messages", messageBodies, repo.eraseBodies),
    {
      what: "Creating and dropping partitions",
      every: "1 hour",
      round: Effect.map(updatePartitions, Number.sumAll)
    },
    ...optional("Erasing expired events", events, repo.eraseEvents),
    ...optional("Erasing expired logs of forwarding and blocks", events, repo.eraseMailLogs),
    ...optional("Erasing expired raw mails", inboundRaw, repo.eraseInboundRaw),
    expiring("Deleting expired webhook deliveries", webhookAttempts, repo.deleteWebhooks),
    expiring("Deleting expired key activity", keyActivity, repo.deleteKeyActivity),
    expiring("Deleting expired audit entries", audit, repo.deleteAudit),
    {
      what: "Deleting expired ids of texts",
      every: "1 hour",
      round: repo.deleteProviderIds(Option.getOrElse(events, () => defaultRetention))
    },
    { what: "Deleting expired sessions", every: "1 hour", round: sessions.deleteExpired },
    { what: "Deleting expired invitations", every: "1 hour", round: invitations.deleteExpired },
    {
      what: "Deleting expired sends",
      every: "1 hour",
      round: Effect.map(deleteSends, ({ contents, keys }) => keys + contents)
    },
    {
      what: "Deleting expired idempotency keys",
      every: "1 hour",
      round: creationKeys.deleteExpired(keyRetention)
    },
    {
      what: "Deleting expired DMARC and TLS reports",
      every: "1 hour",
      round: reports.deleteExpired(Option.getOrElse(events, () => defaultReportRetention))
    },
    { what: "Deleting expired MTA-STS policies", every: "1 hour", round: mtaStsPolicies.deleteExpired }
  ]
  return jobs
})
