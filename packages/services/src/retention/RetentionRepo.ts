import type { ServiceUnavailableError } from "@switchboard/domain/Errors"
import { Context, type Duration, type Effect, type Option } from "effect"

/** Tables in monthly partitions. */
export const partitionedTables = [
  "events",
  "api_key_activity",
  "webhook_attempts",
  "webhook_deliveries",
  "webhook_bodies"
] as const

export type PartitionedTable = (typeof partitionedTables)[number]

type DeleteExpired = (retention: Duration.Duration) => Effect.Effect<number, ServiceUnavailableError>

/** Deletes data older than `retention`, in batches. These methods return the number of rows. */
export class RetentionRepo extends Context.Tag("services/RetentionRepo")<
  RetentionRepo,
  {
    /**
     * The content of messages: `html`, `text`, attachments and raw mails. Unsent messages keep their content until they
     * are sent.
     */
    readonly eraseBodies: DeleteExpired
    /** Events with finished deliveries only. The newest expired event stays, so that clients can resume after it. */
    readonly eraseEvents: DeleteExpired
    /** The logs of finished forwardings and of blocked recipients. The counts of catch-alls stay. */
    readonly eraseMailLogs: DeleteExpired
    /** Raw mails of stored messages. */
    readonly eraseInboundRaw: DeleteExpired
    /** Webhook attempts, and webhook deliveries that are not pending, with their bodies. */
    readonly deleteWebhooks: DeleteExpired
    /** The requests of API keys. */
    readonly deleteKeyActivity: DeleteExpired
    /** The entries of the audit log. */
    readonly deleteAudit: DeleteExpired
    /** The ids of texts at their providers: later receipts find no message. */
    readonly deleteProviderIds: DeleteExpired
    /**
     * Creates the partitions of this month and the next one, and drops those of which all months are older than the
     * retention. Rows that stay are moved. Returns the number of changed partitions: 0 if another process changes them.
     */
    readonly updatePartitions: (
      table: PartitionedTable,
      retention: Option.Option<Duration.Duration>
    ) => Effect.Effect<number, ServiceUnavailableError>
  }
>() {}
