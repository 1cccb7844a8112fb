import type { ServiceUnavailableError } from "@switchboard/domain/Errors"
import { findRecipient } from "@switchboard/domain/email/feedback/FindRecipient"
import { isOpen } from "@switchboard/domain/messages/delivery/Delivery"
import { complained } from "@switchboard/domain/messages/state/MessageLifecycle"
import { DateTime, Effect, Option } from "effect"
import type { FeedbackId } from "../../messages/delivery/FeedbackId.js"
import { MessageRepo } from "../../messages/MessageRepo.js"

/** What a report of an unwanted mail came to. */
export type ComplaintOutcome = "recorded" | "tooEarly" | "unknown"

/** Reports of unwanted mail (RFC 5965), once it is known which message they are about. */
export class Complaints extends Effect.Service<Complaints>()("services/Complaints", {
  effect: Effect.gen(function* () {
    const repo = yield* MessageRepo

    /**
     * Records that a recipient complained, who is never sent to again. A report can overtake the news that the message
     * was sent; one that comes again, or of somebody who did not get the message, changes nothing.
     */
    const report = (
      { messageId, organizationId }: FeedbackId,
      recipients: ReadonlyArray<string>,
      feedbackType: string
    ): Effect.Effect<ComplaintOutcome, ServiceUnavailableError> =>
      Effect.gen(function* () {
        const now = yield* DateTime.now
        let outcome: ComplaintOutcome = "unknown"
        yield* repo.change(organizationId, messageId, (state) =>
          Effect.sync(() => {
            const delivery = findRecipient(state, recipients)
            if (Option.isNone(delivery)) return state
            outcome = isOpen(delivery.value) ? "tooEarly" : "recorded"
            return isOpen(delivery.value) ? state : complained(state, delivery.value.recipient, now, feedbackType)
          })
        )
        return outcome
      })
    return { report } as const
  })
}) {}
