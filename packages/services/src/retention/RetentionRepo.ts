import type { ServiceUnavailableError } from "@switchboard/domain/Errors"
import { Context, type Duration, type Effect } from "effect"

type DeleteExpired = (retention: Duration.Duration) => Effect.Effect<number, ServiceUnavailableError>

/** Deletes data older than `retention`, in batches. Every method returns the number of rows. */
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
  }
>() {}
