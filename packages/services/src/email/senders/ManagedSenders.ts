import { randomUUID } from "node:crypto"
import { ConflictError, ResourceNotFoundError, ValidationError } from "@switchboard/domain/Errors"
import { degradedPeriod } from "@switchboard/domain/email/domains/ExamineDomain"
import { addressDomain } from "@switchboard/domain/email/EmailAddress"
import {
  type CreateEmailSender,
  type EmailSenderFilters,
  EmailSenderId,
  reputationWindow,
  type SenderOutcomes,
  SenderStanding
} from "@switchboard/domain/email/senders/EmailSender"
import { untracked } from "@switchboard/domain/email/tracking/Tracking"
import type { EmailSendOrReply } from "@switchboard/domain/messages/SendRequest"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import type { PageRequest } from "@switchboard/domain/Page"
import { DateTime, Duration, Effect, Option } from "effect"
import { Messages } from "../../messages/Messages.js"
import type { Caller } from "../../messages/SendContext.js"
import { newId } from "../../NewId.js"
import { PublicUrl } from "../../PublicUrl.js"
import { DomainRepo } from "../domains/DomainRepo.js"
import { unsignedToken } from "../send/SignedLinks.js"
import { describeSender, senderEvent, standingOf } from "./DescribeSender.js"
import { ManagedSenderRepo, type StoredSender } from "./ManagedSenderRepo.js"
import { Senders } from "./Senders.js"

/** The path of the confirmation page. */
const confirmationPath = "/v1/email/senders/confirm"

const escaped = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;")

/**
 * The mail with the link that confirms a sender address. Apart from the address it contains no text of the caller,
 * since its recipient may not know the caller.
 */
const confirmationMail = (
  { email, id, organizationId }: StoredSender,
  nonce: string,
  publicUrl: string
): EmailSendOrReply => {
  const { headers, token } = unsignedToken(organizationId, id, nonce)
  const link = `${publicUrl}${confirmationPath}?token=${token}`
  return {
    channel: "email",
    to: [{ email }],
    isAutomated: true,
    email: {
      subject: "Confirm this address as a sender",
      html: `<p>A request was made to send e-mail from <b>${escaped(email)}</b>.</p>
<p>If that is right, confirm it within 48 hours:</p>
<p><a href="${escaped(link)}">${escaped(link)}</a></p>
<p>If you did not expect this mail, ignore it: no mail is sent from your address.</p>`,
      text: `A request was made to send e-mail from ${email}.

If that is right, confirm it within 48 hours:

${link}

If you did not expect this mail, ignore it: no mail is sent from your address.
`,
      headers: { ...headers, "Auto-Submitted": "auto-generated" },
      ...untracked
    }
  }
}

/** The validity of a confirmation link. */
const confirmationHolds = Duration.hours(48)

const senderExists = ({ confirmation, email, verificationStatus }: StoredSender) =>
  new ConflictError({
    message:
      verificationStatus === "verified" || confirmation === null
        ? `${email} is a sender of the organization already`
        : `A confirmation mail was sent to ${email} already: its link is valid until ${DateTime.formatIso(confirmation.expiresAt)}`,
    resource: "sender"
  })

const senderNotFound = (id: EmailSenderId) => new ResourceNotFoundError({ resource: "sender", id })

/** The sender addresses of an organization. */
export class ManagedSenders extends Effect.Service<ManagedSenders>()("services/ManagedSenders", {
  effect: Effect.gen(function* () {
    const repo = yield* ManagedSenderRepo
    const domains = yield* DomainRepo
    const messages = yield* Messages
    const publicUrl = yield* PublicUrl
    const { invalidate } = yield* Senders

    const outcomesOf = (organization: OrganizationId, senders: ReadonlyArray<StoredSender>) =>
      Effect.flatMap(DateTime.now, (now) =>
        repo.outcomes(
          organization,
          senders.map(({ email }) => email),
          DateTime.subtractDuration(now, reputationWindow)
        )
      )

    const removing = Effect.fnUntraced(function* (organization: OrganizationId, sender: StoredSender) {
      const outcomes = yield* outcomesOf(organization, [sender])
      return yield* repo.remove(organization, sender.id, (stored) =>
        Effect.map(senderEvent("email_sender.deleted", stored, outcomes.get(stored.email)), (event) => [event])
      )
    })

    /**
     * Sends the confirmation mail, then runs `write`. If `write` fails, the mail is withdrawn; the link of a mail that
     * was sent already is invalid.
     */
    const confirmAndWrite = <A, E>(caller: Caller, sender: StoredSender, nonce: string, write: Effect.Effect<A, E>) =>
      messages.sendEmail(caller, confirmationMail(sender, nonce, publicUrl)).pipe(
        Effect.catchTags({
          // The request itself is valid: a ValidationError means that the organization has no default sender.
          ValidationError: () =>
            new ConflictError({
              message: "The confirmation mail is sent from the default sender, and the organization has none",
              resource: "sender"
            }),
          ResourceNotFoundError: Effect.die
        }),
        Effect.flatMap(({ message }) =>
          Effect.onError(write, () => Effect.ignoreLogged(messages.remove(sender.organizationId, message.id)))
        )
      )

    /**
     * Restarts the verification of a sender with an expired confirmation or a failed domain. The id stays.
     */
    const renew = (sender: StoredSender, outcomes: SenderOutcomes | undefined) =>
      repo.change(sender.organizationId, sender.id, (stored) =>
        Effect.gen(function* () {
          if (standingOf(stored, sender.updatedAt) !== "failed") return yield* senderExists(stored)
          const isVerified = sender.verificationStatus === "verified"
          return { sender, events: isVerified ? [yield* senderEvent("email_sender.verified", sender, outcomes)] : [] }
        })
      )

    /**
     * Adds a sender. It is verified at once on a verified domain, otherwise a confirmation mail is sent to its address.
     * A failed sender restarts its verification.
     */
    const create = Effect.fn("ManagedSenders.create")(function* (caller: Caller, request: CreateEmailSender) {
      const organization = caller.organizationId
      const name = addressDomain(request.email)
      const domain = yield* domains.findByName(organization, name)
      if (Option.isNone(domain)) {
        return yield* new ValidationError({
          message: "The request body is invalid",
          fields: { email: [`must be at a domain of the organization: add ${name} first`] }
        })
      }
      const { id, now } = yield* newId(EmailSenderId)
      const isVerified = Option.isSome(
        yield* domains.sends(organization, name, DateTime.subtractDuration(now, degradedPeriod))
      )
      const nonce = randomUUID()
      const wantsDefault = request.isDefault ?? false
      const fresh: StoredSender = {
        id,
        organizationId: organization,
        domainId: domain.value.id,
        email: request.email,
        name: request.name,
        replyTo: request.replyTo ?? null,
        verificationStatus: isVerified ? "verified" : "pending",
        verifiedAt: isVerified ? now : null,
        isDefault: isVerified && wantsDefault,
        wantsDefault,
        isActive: true,
        confirmation: isVerified ? null : { nonce, expiresAt: DateTime.addDuration(now, confirmationHolds) },
        domainFailed: false,
        createdAt: now,
        updatedAt: now
      }
      const outcomes = (yield* outcomesOf(organization, [fresh])).get(fresh.email)
      const present = yield* repo.findByEmail(organization, request.email)
      if (Option.isSome(present) && standingOf(present.value, now) !== "failed")
        return yield* senderExists(present.value)
      const sender = Option.match(present, {
        onNone: () => fresh,
        onSome: ({ createdAt, email, id }) => ({ ...fresh, createdAt, email, id })
      })
      const write = Effect.gen(function* () {
        if (Option.isSome(present) && Option.isSome(yield* renew(sender, outcomes))) return
        const types = ["email_sender.created", ...(isVerified ? (["email_sender.verified"] as const) : [])] as const
        const events = yield* Effect.forEach(types, (type) => senderEvent(type, sender, outcomes))
        yield* repo.insert({ sender, events })
      })
      yield* isVerified ? write : confirmAndWrite(caller, sender, nonce, write)
      yield* invalidate(organization)
      return describeSender(sender, { now, outcomes, withToken: true })
    })

    /** The organization's senders, newest first. Tokens are included for callers that may write senders. */
    const list = Effect.fn("ManagedSenders.list")(function* (
      organization: OrganizationId,
      filters: EmailSenderFilters,
      request: PageRequest,
      { withToken }: { readonly withToken: boolean }
    ) {
      const now = yield* DateTime.now
      const { items, ...rest } = yield* repo.list(organization, filters, now, request)
      const outcomes = yield* outcomesOf(organization, items)
      return {
        ...rest,
        items: items.map((stored) => describeSender(stored, { now, outcomes: outcomes.get(stored.email), withToken }))
      }
    })

    const found = Effect.fnUntraced(function* (organization: OrganizationId, id: EmailSenderId) {
      return yield* Effect.mapError(yield* repo.find(organization, id), () => senderNotFound(id))
    })

    /** A sender with its token, for callers that may write senders. */
    const get = Effect.fn("ManagedSenders.get")(function* (organization: OrganizationId, id: EmailSenderId) {
      const stored = yield* found(organization, id)
      const outcomes = (yield* outcomesOf(organization, [stored])).get(stored.email)
      return describeSender(stored, { now: yield* DateTime.now, outcomes, withToken: true })
    })

    /** The verification status of a sender. */
    const verification = Effect.fn("ManagedSenders.verification")(function* (
      organization: OrganizationId,
      id: EmailSenderId
    ) {
      const stored = yield* found(organization, id)
      return new SenderStanding(
        {
          id,
          verificationStatus: standingOf(stored, yield* DateTime.now),
          ...(stored.verifiedAt === null ? {} : { verifiedAt: stored.verifiedAt })
        },
        { disableValidation: true }
      )
    })

    /** Removes a sender. After the default sender is removed, the organization has none until another becomes it. */
    const remove = Effect.fn("ManagedSenders.remove")(function* (organization: OrganizationId, id: EmailSenderId) {
      const existed = yield* removing(organization, yield* found(organization, id))
      if (!existed) return yield* senderNotFound(id)
      yield* invalidate(organization)
    })

    return { create, get, list, verification, remove } as const
  })
}) {}
