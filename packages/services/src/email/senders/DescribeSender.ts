import { EmailSender, reputation, type SenderOutcomes } from "@switchboard/domain/email/senders/EmailSender"
import type { EventType } from "@switchboard/domain/events/EventType"
import { DateTime, Effect } from "effect"
import { newEvent } from "../../events/NewEvent.js"
import type { ChangedSender, StoredSender, WaitingSender } from "./ManagedSenderRepo.js"

const noOutcomes: SenderOutcomes = { sent: 0, bounced: 0, complained: 0 }

/** The verification status at a time. Failed if the confirmation has expired or the domain has failed. */
export const standingOf = ({ confirmation, domainFailed, verificationStatus }: StoredSender, now: DateTime.Utc) => {
  if (verificationStatus === "verified") return domainFailed ? "failed" : "verified"
  return confirmation !== null && DateTime.lessThanOrEqualTo(confirmation.expiresAt, now)
    ? "failed"
    : verificationStatus
}

/** The wire form of a sender. The token identifies the confirmation mail and can't be used to confirm. */
export const describeSender = (
  stored: StoredSender,
  {
    now,
    outcomes = noOutcomes,
    withToken
  }: {
    readonly now: DateTime.Utc
    readonly outcomes: SenderOutcomes | undefined
    readonly withToken: boolean
  }
): EmailSender => {
  const verificationStatus = standingOf(stored, now)
  return new EmailSender(
    {
      id: stored.id,
      organizationId: stored.organizationId,
      ...(stored.domainId === null ? {} : { domainId: stored.domainId }),
      email: stored.email,
      name: stored.name,
      ...(stored.replyTo === null ? {} : { replyTo: stored.replyTo }),
      ...(withToken && verificationStatus === "pending" && stored.confirmation !== null
        ? { verificationToken: stored.confirmation.nonce }
        : {}),
      verificationStatus,
      ...(stored.verifiedAt === null ? {} : { verifiedAt: stored.verifiedAt }),
      isDefault: stored.isDefault,
      isActive: stored.isActive,
      reputation: reputation(outcomes),
      createdAt: stored.createdAt,
      updatedAt: stored.updatedAt
    },
    { disableValidation: true }
  )
}

/** The event of a change to a sender, without its token: subscribers may lack the permission to write senders. */
export const senderEvent = (
  type: Extract<EventType, `email_sender.${string}`>,
  stored: StoredSender,
  outcomes: SenderOutcomes | undefined
) =>
  Effect.flatMap(DateTime.now, (now) =>
    newEvent(type, stored.organizationId, stored.id, describeSender(stored, { now, outcomes, withToken: false }))
  )

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
