import { addressDomain, type EmailAddress } from "@switchboard/domain/email/EmailAddress"
import { Effect, Option } from "effect"
import { ReceivingDomains } from "../receiving/addresses/ReceivingDomains.js"
import { SenderRepo } from "../senders/SenderRepo.js"
import { DomainRepo } from "./DomainRepo.js"
import { Domains } from "./Domains.js"

/** The domain for which the operator vouches, so that answers and bounces come back where nothing is published. */
export class LocalDomains extends Effect.Service<LocalDomains>()("services/LocalDomains", {
  effect: Effect.gen(function* () {
    const senders = yield* SenderRepo
    const repo = yield* DomainRepo
    const domains = yield* Domains
    const receiving = yield* ReceivingDomains

    /**
     * Sees to it that the first organization that sends as this address has its domain, verified, and gets what is sent
     * to the address. What is there already stays as it is. None if nobody sends as it, or another organization has the
     * domain.
     */
    const ensure = Effect.fn("LocalDomains.ensure")(
      function* (sender: EmailAddress) {
        const owner = yield* Effect.flatten(senders.findFirstOwner(sender))
        const domain = addressDomain(sender)
        const present = yield* repo.findByName(owner, domain)
        if (Option.isNone(present)) yield* domains.vouch(owner, domain)
        if (Option.exists(present, (stored) => stored.receiving)) return Option.some(owner)
        yield* receiving.enable(owner, { domain, addresses: [sender] })
        return Option.some(owner)
      },
      // Another process makes it at this moment, or an organization of before has it.
      Effect.catchTags({
        ConflictError: ({ message }) => Effect.as(Effect.logDebug(message), Option.none()),
        NoSuchElementException: () => Effect.succeedNone
      })
    )

    return { ensure } as const
  })
}) {}
