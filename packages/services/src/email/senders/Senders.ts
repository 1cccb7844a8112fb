import { type ServiceUnavailableError, ValidationError } from "@switchboard/domain/Errors"
import { degradedSends } from "@switchboard/domain/email/domains/DomainStanding"
import { addressDomain, type EmailAddress, type Mailbox } from "@switchboard/domain/email/EmailAddress"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { Cache, Data, DateTime, Effect, Option } from "effect"
import { DomainRepo } from "../domains/DomainRepo.js"
import { SenderRepo, type VerifiedSender } from "./SenderRepo.js"

class Lookup extends Data.Class<{ readonly organization: OrganizationId; readonly email: EmailAddress | null }> {}

const invalid = (message: string) =>
  new ValidationError({ message: "The request body is invalid", fields: { "email.from": [message] } })

/** Who a message goes out as, and where answers to them go if the message does not say. */
export interface SendsAs extends Mailbox {
  readonly replyTo: EmailAddress | null
}

/** Who an organization may send as. */
export class Senders extends Effect.Service<Senders>()("services/Senders", {
  effect: Effect.gen(function* () {
    const repo = yield* SenderRepo
    const domains = yield* DomainRepo

    /** A sender by its address, which may also be any of a domain that sends. */
    const findNamed = Effect.fnUntraced(function* (
      organization: OrganizationId,
      email: EmailAddress,
      degradedSince: DateTime.Utc
    ) {
      const found = yield* repo.findVerified(organization, email, degradedSince)
      if (Option.isSome(found)) return found
      const sends = yield* domains.sends(organization, addressDomain(email), degradedSince)
      return sends ? Option.some<VerifiedSender>({ email, name: "", replyTo: null }) : Option.none()
    })

    // Every send asks. What another process changes is seen within the second, what this one does at once (`forget`).
    const known = yield* Cache.make({
      capacity: 10_000,
      timeToLive: "500 millis",
      lookup: ({
        email,
        organization
      }: Lookup): Effect.Effect<Option.Option<VerifiedSender>, ServiceUnavailableError> =>
        Effect.flatMap(DateTime.now, (now) => {
          const degradedSince = DateTime.subtractDuration(now, degradedSends)
          return email === null
            ? repo.findDefault(organization, degradedSince)
            : findNamed(organization, email, degradedSince)
        })
    })

    /** The sender that a message goes out as: the one it names, or the organization's default. */
    const resolve = Effect.fnUntraced(function* (organization: OrganizationId, from: Mailbox | undefined) {
      const lookup = new Lookup({ organization, email: from?.address ?? null })
      const found = yield* known.get(lookup)
      if (Option.isNone(found)) {
        // Whoever is refused adds the sender and tries again.
        yield* known.invalidate(lookup)
        return yield* from === undefined
          ? invalid("is required: the organization has no default sender that is verified")
          : invalid("is not a verified sender of the organization, nor at a verified domain of it")
      }
      const sendsAs: SendsAs = {
        name: from === undefined ? found.value.name : from.name,
        address: from?.address ?? found.value.email,
        replyTo: found.value.replyTo
      }
      return sendsAs
    })

    /** The organization's senders or domains are others by now: what is known of them is looked up again. */
    const forget = Effect.fnUntraced(function* (organization: OrganizationId) {
      const lookups = yield* known.keys
      yield* Effect.forEach(
        lookups.filter((lookup) => lookup.organization === organization),
        (lookup) => known.invalidate(lookup),
        { discard: true }
      )
    })

    return { resolve, forget } as const
  })
}) {}
