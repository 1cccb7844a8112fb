import { EmailSenderId, reputationWindow } from "@switchboard/domain/email/senders/EmailSender"
import { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { Data, DateTime, Effect, Option, Schema } from "effect"
import { Signatures } from "../../SecretBox.js"
import { isSignatureOf } from "../send/SignedLinks.js"
import { senderEvent, standingOf } from "./DescribeSender.js"
import { ManagedSenderRepo, type StoredSender } from "./ManagedSenderRepo.js"
import { Senders } from "./Senders.js"

/** The parsed token of a confirmation link. */
interface ConfirmationToken {
  readonly organization: OrganizationId
  readonly sender: EmailSenderId
  readonly signature: string
}

const Parts = Schema.decodeUnknownOption(Schema.Tuple(OrganizationId, EmailSenderId, Schema.String))

/** Parses a token without verifying its signature; none if it is malformed. */
const parseToken = (text: string): Option.Option<ConfirmationToken> =>
  Option.map(Parts(text.split(".")), ([organization, sender, signature]) => ({ organization, sender, signature }))

/** The token is malformed, or matches no sender. */
export class ConfirmationUnknown extends Data.TaggedError("ConfirmationUnknown") {}

/** The confirmation was used or has expired. */
export class ConfirmationOver extends Data.TaggedError("ConfirmationOver")<{
  readonly why: "used" | "expired"
}> {}

/** The sender of a confirmation link. */
export type ConfirmationSubject = Pick<StoredSender, "email" | "organizationId">

/** Confirms senders by the links of confirmation mails. A link is valid for 48 hours and works once. */
export class SenderConfirmations extends Effect.Service<SenderConfirmations>()("services/SenderConfirmations", {
  effect: Effect.gen(function* () {
    const repo = yield* ManagedSenderRepo
    const signatures = yield* Signatures
    const { invalidate } = yield* Senders

    const open = (token: ConfirmationToken, stored: StoredSender, now: DateTime.Utc) => {
      if (
        stored.confirmation === null ||
        !isSignatureOf(signatures, token.organization, token.sender, stored.confirmation.nonce, token.signature)
      ) {
        return new ConfirmationUnknown()
      }
      if (stored.verificationStatus === "verified") return new ConfirmationOver({ why: "used" })
      return standingOf(stored, now) === "pending" ? Effect.succeed(stored) : new ConfirmationOver({ why: "expired" })
    }

    const found = Effect.fnUntraced(function* (text: string) {
      const token = yield* Effect.mapError(parseToken(text), () => new ConfirmationUnknown())
      const sender = yield* repo.find(token.organization, token.sender)
      const stored = yield* Effect.mapError(sender, () => new ConfirmationUnknown())
      yield* open(token, stored, yield* DateTime.now)
      return { token, stored }
    })

    /** The sender that a link would confirm. Changes nothing, since mail scanners follow links. */
    const look = Effect.fn("SenderConfirmations.look")(function* (text: string) {
      const { stored } = yield* found(text)
      const subject: ConfirmationSubject = stored
      return subject
    })

    /** Confirms the sender of a link, once. */
    const confirm = Effect.fn("SenderConfirmations.confirm")(function* (text: string) {
      const { stored: known, token } = yield* found(text)
      const now = yield* DateTime.now
      const { email, id, organizationId } = known
      const since = DateTime.subtractDuration(now, reputationWindow)
      const outcomes = yield* repo.outcomes(organizationId, [email], since)
      const changed = yield* repo.change(organizationId, id, (stored) =>
        Effect.gen(function* () {
          yield* open(token, stored, now)
          const sender: StoredSender = {
            ...stored,
            verificationStatus: "verified",
            verifiedAt: now,
            isDefault: stored.wantsDefault,
            domainFailed: false,
            updatedAt: now
          }
          return { sender, events: [yield* senderEvent("email_sender.verified", sender, outcomes.get(email))] }
        })
      )
      if (Option.isNone(changed)) return yield* new ConfirmationUnknown()
      yield* invalidate(organizationId)
      const subject: ConfirmationSubject = known
      return subject
    })

    return { look, confirm } as const
  })
}) {}
