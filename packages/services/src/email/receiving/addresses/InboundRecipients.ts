import { reportAddress } from "@switchboard/domain/email/domains/DomainRecords"
import type { EmailDomainId } from "@switchboard/domain/email/domains/EmailDomain"
import { addressDomain, addressKey, EmailAddress, withoutDetail } from "@switchboard/domain/email/EmailAddress"
import type { MessageId } from "@switchboard/domain/messages/Message"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { Array, Data, Effect, Option, Schedule, Schema } from "effect"
import { replyAddress, returnPath } from "../../../messages/delivery/SignedReferences.js"
import { MessageRepo } from "../../../messages/MessageRepo.js"
import { Signatures } from "../../../SecretBox.js"
import { parseForwardPath } from "../../forwarding/ForwardPath.js"
import { parseUnsubscribeAddress } from "../../send/Unsubscribes.js"
import type { InboundRecipient, RecipientKind, UnsubscribeRecipient } from "../InboundMail.js"
import { type DomainOfAddress, InboundAddressRepo } from "./InboundAddressRepo.js"
import { type CatchAllRefusals, ReceivingRepo } from "./ReceivingRepo.js"

const flushEvery = "5 seconds"

/**
 * Counts the recipients that catch-alls exclude. Clients may try any number of addresses, so a rejection only
 * increments a counter in memory; each domain's counter is written every 5 seconds.
 */
export class RefusedRecipients extends Effect.Service<RefusedRecipients>()("services/RefusedRecipients", {
  scoped: Effect.gen(function* () {
    const repo = yield* ReceivingRepo
    let counted = new Map<EmailDomainId, CatchAllRefusals>()

    const count = (organizationId: OrganizationId, domainId: EmailDomainId, refused: number): void => {
      const before = counted.get(domainId)?.count ?? 0
      counted.set(domainId, { organizationId, domainId, count: before + refused })
    }

    /** Counts a rejection by a domain's catch-all. */
    const note = (organizationId: OrganizationId, domainId: EmailDomainId): void => count(organizationId, domainId, 1)

    const flush = Effect.suspend(() => {
      const taken = [...counted.values()]
      counted = new Map()
      if (taken.length === 0) return Effect.void
      // Counts that can't be written are added to the next flush.
      return Effect.catchAll(repo.addRefusals(taken), () =>
        Effect.sync(() => {
          for (const { count: refused, domainId, organizationId } of taken) count(organizationId, domainId, refused)
        })
      )
    })
    yield* Effect.addFinalizer(() => flush)
    yield* Effect.forkScoped(Effect.repeat(flush, Schedule.spaced(flushEvery)))

    return { note } as const
  })
}) {}

/** The domain receives mail here, but the address does not exist. */
export class UnknownRecipient extends Data.TaggedError("UnknownRecipient") {}

/** The domain does not receive mail here. */
export class RelayDenied extends Data.TaggedError("RelayDenied") {}

const bounceLabel = "bounce."

/** Role addresses, which accept mail without being set up (RFC 5321 section 4.5.1, RFC 2142 section 4). */
const isRole = (address: EmailAddress): boolean => /^(?:postmaster|abuse)@/.test(withoutDetail(addressKey(address)))

const decodeAddress = Schema.decodeOption(EmailAddress)

/** Finds the recipients of RCPT commands. Unknown addresses are rejected in the SMTP session. */
export class InboundRecipients extends Effect.Service<InboundRecipients>()("services/InboundRecipients", {
  effect: Effect.gen(function* () {
    const repo = yield* InboundAddressRepo
    const messages = yield* MessageRepo
    const signatures = yield* Signatures
    const refused = yield* RefusedRecipients

    const taken = (
      address: EmailAddress,
      { organizationId }: DomainOfAddress,
      kind: RecipientKind
    ): InboundRecipient => ({
      organizationId,
      address,
      kind
    })

    /** A signed address is valid while its message exists. */
    const signed = (address: EmailAddress, domain: DomainOfAddress, _tag: "Reply" | "Bounce", messageId: MessageId) =>
      Effect.flatMap(repo.hasMessage(domain.organizationId, messageId), (exists) =>
        exists ? Effect.succeed(taken(address, domain, { _tag, messageId })) : new UnknownRecipient()
      )

    /** A signed unsubscribe address is valid for a current recipient of its message. */
    const unsubscribing = Effect.fnUntraced(
      function* (address: EmailAddress, { organizationId }: DomainOfAddress) {
        const { isFor, messageId } = yield* parseUnsubscribeAddress(signatures, addressKey(address))
        const { emailMetadata } = yield* Effect.flatten(messages.find(organizationId, messageId))
        const { recipient } = yield* Array.findFirst(emailMetadata?.deliveries ?? [], (one) => isFor(one.recipient))
        const subject = { organizationId, messageId, recipient }
        return { organizationId, address, kind: { _tag: "Unsubscribe", subject } } satisfies UnsubscribeRecipient
      },
      Effect.catchTag("NoSuchElementException", () => new UnknownRecipient())
    )

    /**
     * An address at `bounce.<domain>`: signed return paths, unsubscribe addresses, the address for reports, and role
     * addresses of the domain.
     */
    const returned = Effect.fnUntraced(function* (address: EmailAddress) {
      const key = addressKey(address)
      const found = yield* repo.find(addressDomain(address).slice(bounceLabel.length), key)
      if (Option.isNone(found)) return yield* new RelayDenied()
      if (key === reportAddress(addressDomain(address).slice(bounceLabel.length))) {
        return taken(address, found.value, { _tag: "Address", domainId: found.value.domainId, isForReports: true })
      }
      const ofDomain = decodeAddress(address.replace(`@${bounceLabel}`, "@"))
      if (isRole(address) && Option.isSome(ofDomain)) {
        return taken(ofDomain.value, found.value, { _tag: "Address", domainId: found.value.domainId })
      }
      const path = returnPath.parse(signatures, key)
      if (Option.isSome(path)) return yield* signed(address, found.value, "Bounce", path.value.messageId)
      const forward = parseForwardPath(signatures, key)
      if (Option.isNone(forward)) return yield* unsubscribing(address, found.value)
      const { forwardingId } = forward.value
      return (yield* repo.hasForwarding(found.value.organizationId, forwardingId))
        ? taken(address, found.value, { _tag: "Forwarded", forwardingId })
        : yield* new UnknownRecipient()
    })

    /**
     * An address at a receiving domain, in this order: signed addresses, receiving addresses, the catch-all, role
     * addresses.
     */
    const received = Effect.fnUntraced(function* (address: EmailAddress, domain: DomainOfAddress) {
      const { domainId } = domain
      const reply = replyAddress.parse(signatures, addressKey(address))
      if (Option.isSome(reply)) return yield* signed(address, domain, "Reply", reply.value.messageId)
      if (domain.isAddress) return taken(address, domain, { _tag: "Address", domainId })
      if (domain.catches) return taken(address, domain, { _tag: "CatchAll", domainId })
      if (domain.excluded) refused.note(domain.organizationId, domainId)
      else if (isRole(address)) return taken(address, domain, { _tag: "Address", domainId })
      return yield* new UnknownRecipient()
    })

    /** The organization and kind of an address. */
    const find = Effect.fnUntraced(function* (address: EmailAddress) {
      const name = addressDomain(address)
      const own = yield* repo.find(name, addressKey(address))
      if (Option.isSome(own) && own.value.receiving) return yield* received(address, own.value)
      return name.startsWith(bounceLabel) ? yield* returned(address) : yield* new RelayDenied()
    })

    /** `postmaster` without a domain (RFC 5321 section 4.1.1.3) is that of the oldest receiving domain. */
    const findPostmaster = Effect.gen(function* () {
      const domain = yield* repo.firstReceivingDomain
      const address = Option.flatMap(domain, (name) => decodeAddress(`postmaster@${name}`))
      return Option.isSome(address) ? yield* find(address.value) : yield* new UnknownRecipient()
    })

    return { find, findPostmaster } as const
  })
}) {}
