import type { ServiceUnavailableError } from "@switchboard/domain/Errors"
import { complained } from "@switchboard/domain/messages/MessageLifecycle"
import { isUndelivered } from "@switchboard/domain/messages/MessageStatus"
import { DateTime, Effect, Option } from "effect"
import { Blocks } from "../email/blocks/Blocks.js"
import type { FeedbackId } from "../messages/FeedbackId.js"
import { MessageRepo } from "../messages/MessageRepo.js"

/** What a report of an unwanted mail came to. */
export type ComplaintOutcome = "recorded" | "tooEarly" | "unknown"

/** Reports of unwanted mail (RFC 5965), once it is known which message they are about. */
export class Complaints extends Effect.Service<Complaints>()("services/Complaints", {
  effect: Effect.gen(function* () {
    const repo = yield* MessageRepo
    const blocks = yield* Blocks

    /**
     * Records that a recipient complained, and never sends to them again. A report can overtake the news that the
     * message was sent. One that broke off in between is made again as a whole: what is recorded stays as it is.
     */
    const report = (
      { messageId, organizationId }: FeedbackId,
      recipient: string
    ): Effect.Effect<ComplaintOutcome, ServiceUnavailableError> =>
      Effect.gen(function* () {
        const now = yield* DateTime.now
        let outcome: ComplaintOutcome = "recorded"
        let isRecipient = false
        const changed = yield* repo.change(organizationId, messageId, (state) =>
          Effect.sync(() => {
            if (isUndelivered(state.status)) {
              outcome = "tooEarly"
              return state
            }
            const after = complained(state, recipient, now)
            // Nobody keeps an organization from an address to which it sent nothing.
            isRecipient = after.deliveries.some((one) => one.recipient === recipient && one.status === "complained")
            return after
          })
        )
        if (Option.isNone(changed)) return "unknown"
        if (isRecipient) yield* blocks.addComplaint(organizationId, recipient, messageId)
        return outcome
      })
    return { report } as const
  })
}) {}
