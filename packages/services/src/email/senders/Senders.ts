import { ValidationError } from "@switchboard/domain/Errors"
import { degradedSends } from "@switchboard/domain/email/domains/DomainStanding"
import { addressDomain, type EmailAddress, type Mailbox } from "@switchboard/domain/email/EmailAddress"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { Data, DateTime, Effect, Option } from "effect"
import { sharedLookup } from "../../SharedLookup.js"
import { DomainRepo } from "../domains/DomainRepo.js"
import { SenderRepo, type VerifiedSender } from "./SenderRepo.js"

const capacity = 10_000
const timeToLive = "500 millis"

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

    // A change of another process is seen within the time to live, one of this process at once (`forget`).
    const known = yield* sharedLookup({
      capacity,
      timeToLive,
      lookup: ({ email, organization }: Lookup) =>
        Effect.flatMap(DateTime.now, (now) => {
          const degradedSince = DateTime.subtractDuration(now, degradedSends)
          return email === null
            ? repo.findDefault(organization, degradedSince)
            : findNamed(organization, email, degradedSince)
        })
    })

    /** The sender that a message goes out as: the one it names, or the organization's default. */
    const resolve = Effect.fnUntraced(function* (organization: OrganizationId, from: Mailbox | undefined) {
      const email = from?.address ?? null
      const found = yield* known.get(new Lookup({ organization, email }))
      if (Option.isNone(found)) {
        // Whoever is refused adds the sender and tries again.
        yield* known.invalidate(new Lookup({ organization, email }))
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

    /** Removes the known senders of an organization: the next send looks them up. */
    const forget = (organization: OrganizationId) =>
      known.invalidateWhere((lookup) => lookup.organization === organization)

    return { resolve, forget } as const
  })
}) {}
