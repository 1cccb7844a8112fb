import { DateTime, Effect } from "effect"
import { senderEvent } from "./DescribeSender.js"
import type { ChangedSender, WaitingSender } from "./ManagedSenderRepo.js"

/**
 * Verifies the senders of a domain that is verified now: its owner may use any of its addresses without confirmation.
 * Among several that are to become the default, the newest is.
 */
export const verifiedWithDomain = (
  waiting: ReadonlyArray<WaitingSender>
): Effect.Effect<ReadonlyArray<ChangedSender>> =>
  Effect.forEach(waiting, ({ outcomes, stored }) =>
    Effect.gen(function* () {
      const now = yield* DateTime.now
      const sender = {
        ...stored,
        verificationStatus: "verified",
        verifiedAt: now,
        isDefault: stored.wantsDefault,
        domainFailed: false,
        updatedAt: now
      } as const
      return { sender, events: [yield* senderEvent("email_sender.verified", sender, outcomes)] }
    })
  )
