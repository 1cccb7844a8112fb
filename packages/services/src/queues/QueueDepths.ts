import type { ServiceUnavailableError } from "@switchboard/domain/Errors"
import type { QueueDepth } from "@switchboard/domain/system/SystemStatus"
import { Context, type DateTime, type Effect } from "effect"

/** Queue statistics for operators. */
export class QueueDepths extends Context.Tag("services/QueueDepths")<
  QueueDepths,
  {
    /** The depth of every queue. */
    readonly all: Effect.Effect<ReadonlyArray<QueueDepth>, ServiceUnavailableError>
    /** The number of received mails since `since` that could not be parsed. */
    readonly unparsedMails: (since: DateTime.Utc) => Effect.Effect<number, ServiceUnavailableError>
  }
>() {}
