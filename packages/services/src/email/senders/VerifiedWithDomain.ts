import { DateTime, Effect } from "effect"
import { senderEvent } from "./DescribeSender.js"
import type { ChangedSender, WaitingSender } from "./ManagedSenderRepo.js"

/**
 * Senders of a domain that is verified: whoever has the domain may send as any of its addresses, and none of them has to
 * be asked any more. Those who wanted to be the default become it, the latest for good.
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
