import { type ServiceUnavailableError, ValidationError } from "@switchboard/domain/Errors"
import { degradedPeriod } from "@switchboard/domain/email/domains/ExamineDomain"
import { addressDomain, type EmailAddress, type Mailbox } from "@switchboard/domain/email/EmailAddress"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { DateTime, Effect, Option } from "effect"
import { sharedLookup } from "../../SharedLookup.js"
import { DomainRepo } from "../domains/DomainRepo.js"
import { SenderRepo, type UsableSender } from "./SenderRepo.js"

const capacity = 10_000
const timeToLive = "500 millis"

interface Lookup {
  readonly organization: OrganizationId
  readonly email: EmailAddress | null
}

const invalid = (message: string) =>
  new ValidationError({ message: "The request body is invalid", fields: { "email.from": [message] } })

const unknownSender = (from: Mailbox | undefined) =>
  from === undefined
    ? invalid("is required: the organization has no verified default sender")
    : invalid("must be a verified sender of the organization, or at one of its verified domains")

/** The From of a message, its default Reply-To, and its default tracking. */
export interface SendsAs extends Mailbox, Pick<UsableSender, "tracking"> {
  readonly replyTo: EmailAddress | null
}

/** Finds the sender of a message. */
export class Senders extends Effect.Service<Senders>()("services/Senders", {
  effect: Effect.gen(function* () {
    const repo = yield* SenderRepo
    const domains = yield* DomainRepo

    /** A sender by address, or any address of a verified domain. */
    const findNamed = Effect.fnUntraced(function* (
      organization: OrganizationId,
      email: EmailAddress,
      degradedSince: DateTime.Utc
    ) {
      const found = yield* repo.findVerified(organization, email, degradedSince)
      if (Option.isSome(found)) return found
      const sends = yield* domains.sends(organization, addressDomain(email), degradedSince)
      return Option.map(sends, (tracking): UsableSender => ({ email, name: "", replyTo: null, tracking }))
    })

    // Changes by another process apply after the time to live, changes by this process at once (`invalidate`).
    const known = yield* sharedLookup({
      capacity,
      timeToLive,
      lookup: ({ email, organization }: Lookup) =>
        Effect.flatMap(DateTime.now, (now) => {
          const degradedSince = DateTime.subtractDuration(now, degradedPeriod)
          return email === null
            ? repo.findDefault(organization, degradedSince)
            : findNamed(organization, email, degradedSince)
        }),
      idOf: ({ email, organization }) => `${organization} ${email ?? ""}`
    })

    /** The sender of a message: the requested From, or the organization's default sender. */
    const resolve = (
      organization: OrganizationId,
      from: Mailbox | undefined
    ): Effect.Effect<SendsAs, ServiceUnavailableError | ValidationError> => {
      const lookup = { organization, email: from?.address ?? null }
      return Effect.flatMap(known.get(lookup), (found) => {
        // A failed look-up is not cached: the caller may add the sender and retry.
        if (Option.isNone(found)) return Effect.zipRight(known.invalidate(lookup), unknownSender(from))
        return Effect.succeed({
          name: from === undefined ? found.value.name : from.name,
          address: from?.address ?? found.value.email,
          replyTo: found.value.replyTo,
          tracking: found.value.tracking
        })
      })
    }

    /** Removes an organization's senders from the cache. */
    const invalidate = (organization: OrganizationId) =>
      known.invalidateWhere((lookup) => lookup.organization === organization)

    return { resolve, invalidate } as const
  })
}) {}
