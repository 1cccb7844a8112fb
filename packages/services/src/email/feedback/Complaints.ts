import type { ServiceUnavailableError } from "@switchboard/domain/Errors"
import { findRecipient } from "@switchboard/domain/email/feedback/FindRecipient"
import { isOpen } from "@switchboard/domain/messages/delivery/Delivery"
import { complained } from "@switchboard/domain/messages/state/MessageLifecycle"
import { DateTime, Effect, Option } from "effect"
import type { FeedbackId } from "../../messages/delivery/SignedReferences.js"
import { MessageRepo } from "../../messages/MessageRepo.js"

/** The outcome of a complaint. */
export type ComplaintOutcome = "recorded" | "tooEarly" | "unknown"

/** Stores complaints about messages (RFC 5965). */
export class Complaints extends Effect.Service<Complaints>()("services/Complaints", {
  effect: Effect.gen(function* () {
    const repo = yield* MessageRepo

    /**
     * Stores a recipient's complaint and blocks the recipient. A complaint about a message that is not settled yet is
     * `tooEarly`. A repeat, or an address that is no recipient, changes nothing.
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
