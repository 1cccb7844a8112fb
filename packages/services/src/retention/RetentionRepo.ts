import type { ServiceUnavailableError } from "@switchboard/domain/Errors"
import { Context, type Duration, type Effect } from "effect"

type Erasing = (kept: Duration.Duration) => Effect.Effect<number, ServiceUnavailableError>

/** Erases what was kept for longer than this, some a transaction, until all is gone; how many that was. */
export class RetentionRepo extends Context.Tag("services/RetentionRepo")<
  RetentionRepo,
  {
    /**
     * What messages say: `html`, `text` and files, and the mails that they came in as. Those that are still to be sent
     * keep it until they were.
     */
    readonly eraseBodies: Erasing
    /**
     * Events that nobody is to be told any more. The last that was kept long enough stays: whoever heard nothing since
     * can go on after it.
     */
    readonly eraseEvents: Erasing
    /**
     * What is told of mail that was forwarded, once nothing can come of it any more, and of recipients that blocks kept
     * mail from. What catch-alls took, refused and forwarded stays counted.
     */
    readonly eraseMailLogs: Erasing
    /** Mails as they came in, after they became messages. */
    readonly eraseInboundRaw: Erasing
  }
>() {}
