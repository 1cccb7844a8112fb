import { type ServiceUnavailableError, ValidationError } from "@switchboard/domain/Errors"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import type { NumberChannel, SenderId } from "@switchboard/domain/sms/SmsNumber"
import { Effect, Option } from "effect"
import { sharedLookup } from "../SharedLookup.js"
import { NumberRepo } from "./NumberRepo.js"

const capacity = 10_000

/** The time after which a number that a command removed is rejected. */
const timeToLive = "500 millis"

interface OwnerLookup {
  readonly number: string
  readonly channel: NumberChannel
}

interface DefaultLookup {
  readonly organization: OrganizationId
  readonly channel: NumberChannel
}

/** The error of a text names its field `from`. A WhatsApp message has none: its sender is the organization's number. */
const invalid = (channel: NumberChannel, message: string) => {
  const field = channel === "sms" ? "sms.from" : channel
  return new ValidationError({ message: "The request body is invalid", fields: { [field]: [message] } })
}

const addCommand = (channel: NumberChannel) =>
  `"switchboard numbers add NUMBER --organization ID_OR_SLUG --channels ${channel}"`

/** The numbers and sender ids of organizations. */
export class Numbers extends Effect.Service<Numbers>()("services/Numbers", {
  effect: Effect.gen(function* () {
    const repo = yield* NumberRepo

    const owners = yield* sharedLookup({
      capacity,
      timeToLive,
      lookup: ({ channel, number }: OwnerLookup) => repo.ownerOf(number, channel),
      idOf: ({ channel, number }) => `${channel} ${number}`
    })

    const defaults = yield* sharedLookup({
      capacity,
      timeToLive,
      lookup: ({ channel, organization }: DefaultLookup) => repo.defaultOf(organization, channel),
      idOf: ({ channel, organization }) => `${channel} ${organization}`
    })

    /** The organization that has a number for a channel. An addition or removal applies within 500 ms. */
    const ownerOf = (number: string, channel: NumberChannel) => owners.get({ number, channel })

    const resolveNamed = (organization: OrganizationId, channel: NumberChannel, from: SenderId) => {
      const lookup = { number: from, channel }
      return Effect.flatMap(owners.get(lookup), (owner) =>
        Option.contains(owner, organization)
          ? Effect.succeed(from)
          : // A failed look-up is not cached: the caller may add the number and retry.
            Effect.zipRight(
              owners.invalidate(lookup),
              invalid(channel, `must be a number of the organization: add it with ${addCommand(channel)}`)
            )
      )
    }

    const resolveDefault = (organization: OrganizationId, channel: NumberChannel) => {
      const lookup = { organization, channel }
      return Effect.flatMap(
        defaults.get(lookup),
        Option.match({
          onSome: Effect.succeed,
          onNone: () =>
            Effect.zipRight(
              defaults.invalidate(lookup),
              invalid(channel, `is required: the organization has no number; add one with ${addCommand(channel)}`)
            )
        })
      )
    }

    /** The sender of a message: the requested number, or the organization's oldest number of the channel. */
    const resolve = (
      organization: OrganizationId,
      channel: NumberChannel,
      from: SenderId | undefined
    ): Effect.Effect<SenderId, ServiceUnavailableError | ValidationError> =>
      from === undefined ? resolveDefault(organization, channel) : resolveNamed(organization, channel, from)

    return { list: repo.list, ownerOf, resolve } as const
  })
}) {}
