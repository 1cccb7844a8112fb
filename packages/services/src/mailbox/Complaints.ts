import type { ServiceUnavailableError } from "@switchboard/domain/Errors"
import { complained } from "@switchboard/domain/messages/MessageLifecycle"
import { isUndelivered } from "@switchboard/domain/messages/MessageStatus"
import { DateTime, Effect, Option } from "effect"
import type { FeedbackId } from "../messages/FeedbackId.js"
import { MessageRepo } from "../messages/MessageRepo.js"

/** What a report of an unwanted mail came to. */
export type ComplaintOutcome = "recorded" | "tooEarly" | "unknown"

/** Reports of unwanted mail (RFC 5965), once it is known which message they are about. */
export class Complaints extends Effect.Service<Complaints>()("services/Complaints", {
  effect: Effect.map(MessageRepo, (repo) => {
    /** Records that a recipient complained. A report can overtake the news that the message was sent. */
    const report = (
      { messageId, organizationId }: FeedbackId,
      recipient: string
    ): Effect.Effect<ComplaintOutcome, ServiceUnavailableError> =>
      Effect.gen(function* () {
        const now = yield* DateTime.now
        let outcome: ComplaintOutcome = "recorded"
        const changed = yield* repo.change(organizationId, messageId, (state) =>
          Effect.sync(() => {
            if (isUndelivered(state.status)) outcome = "tooEarly"
            return isUndelivered(state.status) ? state : complained(state, recipient, now)
          })
        )
        return Option.isNone(changed) ? "unknown" : outcome
      })
    return { report } as const
  })
}) {}
