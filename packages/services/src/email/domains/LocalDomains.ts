import { addressDomain, type EmailAddress } from "@switchboard/domain/email/EmailAddress"
import { Effect, Option } from "effect"
import { ReceivingDomains } from "../receiving/addresses/ReceivingDomains.js"
import { SenderRepo } from "../senders/SenderRepo.js"
import { DomainRepo } from "./DomainRepo.js"
import { Domains } from "./Domains.js"

/**
 * The installation's local domain, which is verified without DNS records, so that replies and bounces arrive in a test
 * setup.
 */
export class LocalDomains extends Effect.Service<LocalDomains>()("services/LocalDomains", {
  effect: Effect.gen(function* () {
    const senders = yield* SenderRepo
    const repo = yield* DomainRepo
    const domains = yield* Domains
    const receiving = yield* ReceivingDomains

    /**
     * Ensures that the first organization with this sender has its domain, verified, and receives mail to its address.
     * Changes nothing that exists. None if no organization has the sender, or another organization has the domain.
     */
    const ensure = Effect.fn("LocalDomains.ensure")(
      function* (sender: EmailAddress) {
        const owner = yield* Effect.flatten(senders.findFirstOwner(sender))
        const domain = addressDomain(sender)
        const present = yield* repo.findByName(owner, domain)
        if (Option.isNone(present)) yield* domains.addVerified(owner, domain)
        if (Option.exists(present, (stored) => stored.receiving)) return Option.some(owner)
        yield* receiving.enable(owner, { domain, addresses: [sender] })
        return Option.some(owner)
      },
      // Another process adds the domain at the same time, or another organization has it.
      Effect.catchTags({
        ConflictError: ({ message }) => Effect.as(Effect.logDebug(message), Option.none()),
        NoSuchElementException: () => Effect.succeedNone
      })
    )

    return { ensure } as const
  })
}) {}
