import { randomUUID } from "node:crypto"
import { ConflictError, ResourceNotFoundError, ValidationError } from "@switchboard/domain/Errors"
import { degradedSends } from "@switchboard/domain/email/domains/DomainStanding"
import { addressDomain } from "@switchboard/domain/email/EmailAddress"
import { EmailSenderId } from "@switchboard/domain/email/senders/EmailSender"
import { reputationWindow, type SenderOutcomes } from "@switchboard/domain/email/senders/Reputation"
import type { CreateEmailSender, EmailSenderFilters } from "@switchboard/domain/email/senders/SenderRequests"
import { SenderStanding } from "@switchboard/domain/email/senders/SenderStanding"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import type { PageRequest } from "@switchboard/domain/Page"
import { DateTime, Duration, Effect, Option } from "effect"
import type { Caller } from "../../messages/Caller.js"
import { Messages } from "../../messages/Messages.js"
import { newId } from "../../NewId.js"
import { PublicUrl } from "../../PublicUrl.js"
import { DomainRepo } from "../domains/DomainRepo.js"
import { confirmationMail } from "./ConfirmationMail.js"
import { describeSender, senderEvent, standingOf } from "./DescribeSender.js"
import { ManagedSenderRepo, type StoredSender } from "./ManagedSenderRepo.js"
import { Senders } from "./Senders.js"

/** How long the link of a confirmation mail holds. */
const confirmationHolds = Duration.hours(48)

const isSender = ({ confirmation, email, verificationStatus }: StoredSender) =>
  new ConflictError({
    message:
      verificationStatus === "verified" || confirmation === null
        ? `${email} is a sender of the organization already`
        : `${email} was asked to confirm already: its link holds until ${DateTime.formatIso(confirmation.expiresAt)}`,
    resource: "sender"
  })

const noSender = (id: EmailSenderId) => new ResourceNotFoundError({ resource: "sender", id })

/** The addresses that an organization sends from. */
export class ManagedSenders extends Effect.Service<ManagedSenders>()("services/ManagedSenders", {
  effect: Effect.gen(function* () {
    const repo = yield* ManagedSenderRepo
    const domains = yield* DomainRepo
    const messages = yield* Messages
    const publicUrl = yield* PublicUrl
    const { forget } = yield* Senders

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
     * Asks the address itself, and then writes what it was asked about: what is told of a sender must not be of one whom
     * nobody could ask. A mail about what was not written is withdrawn; if it arrives all the same, its link leads nowhere.
     */
    const askAnd = <A, E>(caller: Caller, sender: StoredSender, nonce: string, write: Effect.Effect<A, E>) =>
      messages.send(caller, confirmationMail(sender, nonce, publicUrl)).pipe(
        Effect.catchTags({
          // The request is ours: all that can be wrong with it is that there is nobody whom it comes from.
          ValidationError: () =>
            new ConflictError({
              message: "The confirmation mail comes from the default sender, and the organization has none",
              resource: "sender"
            }),
          ResourceNotFoundError: Effect.die
        }),
        Effect.flatMap(({ message }) =>
          Effect.onError(write, () => Effect.ignoreLogged(messages.remove(sender.organizationId, message.id)))
        )
      )

    /** Who has not answered in time, or whose domain has failed, begins anew. It stays the sender that it is. */
    const renew = (sender: StoredSender, outcomes: SenderOutcomes | undefined) =>
      repo.change(sender.organizationId, sender.id, (stored) =>
        Effect.gen(function* () {
          if (standingOf(stored, sender.updatedAt) !== "failed") return yield* isSender(stored)
          const isVerified = sender.verificationStatus === "verified"
          return { sender, events: isVerified ? [yield* senderEvent("email_sender.verified", sender, outcomes)] : [] }
        })
      )

    /**
     * Adds a sender: verified on a domain that sends, else asked by a mail to its address whether it wants to be. One that
     * has failed is asked again.
     */
    const create = Effect.fn("ManagedSenders.create")(function* (caller: Caller, given: CreateEmailSender) {
      const organization = caller.organizationId
      const name = addressDomain(given.email)
      const domain = yield* domains.findByName(organization, name)
      if (Option.isNone(domain)) {
        return yield* new ValidationError({
          message: "The request body is invalid",
          fields: { email: [`must be at a domain of the organization: add ${name} first`] }
        })
      }
      const { id, now } = yield* newId(EmailSenderId)
      const isVerified = yield* domains.sends(organization, name, DateTime.subtractDuration(now, degradedSends))
      const nonce = randomUUID()
      const wantsDefault = given.isDefault ?? false
      const fresh: StoredSender = {
        id,
        organizationId: organization,
        domainId: domain.value.id,
        email: given.email,
        name: given.name,
        replyTo: given.replyTo ?? null,
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
      const present = yield* repo.findByEmail(organization, given.email)
      if (Option.isSome(present) && standingOf(present.value, now) !== "failed") return yield* isSender(present.value)
      const kept = Option.match(present, {
        onNone: () => fresh,
        onSome: ({ createdAt, email, id }) => ({ ...fresh, createdAt, email, id })
      })
      const write = Effect.gen(function* () {
        if (Option.isSome(present) && Option.isSome(yield* renew(kept, outcomes))) return
        const types = ["email_sender.created", ...(isVerified ? (["email_sender.verified"] as const) : [])] as const
        const events = yield* Effect.forEach(types, (type) => senderEvent(type, kept, outcomes))
        yield* repo.insert({ sender: kept, events })
      })
      yield* isVerified ? write : askAnd(caller, kept, nonce, write)
      yield* forget(organization)
      return describeSender(kept, { now, outcomes, withToken: true })
    })

    /** Newest first. Tokens are for those who may write senders. */
    const list = Effect.fn("ManagedSenders.list")(function* (
      organization: OrganizationId,
      filters: EmailSenderFilters,
      request: PageRequest,
      { withToken }: { readonly withToken: boolean }
    ) {
      const now = yield* DateTime.now
      const { items, pagination } = yield* repo.list(organization, filters, now, request)
      const outcomes = yield* outcomesOf(organization, items)
      return {
        items: items.map((stored) => describeSender(stored, { now, outcomes: outcomes.get(stored.email), withToken })),
        pagination
      }
    })

    const found = Effect.fnUntraced(function* (organization: OrganizationId, id: EmailSenderId) {
      return yield* Effect.mapError(yield* repo.find(organization, id), () => noSender(id))
    })

    /** How far the verification is. */
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

    /** Removes a sender. After the default one there is none until another becomes it. */
    const remove = Effect.fn("ManagedSenders.remove")(function* (organization: OrganizationId, id: EmailSenderId) {
      const existed = yield* removing(organization, yield* found(organization, id))
      if (!existed) return yield* noSender(id)
      yield* forget(organization)
    })

    return { create, list, verification, remove } as const
  })
}) {}
