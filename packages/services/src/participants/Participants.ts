import { ResourceNotFoundError, ValidationError } from "@switchboard/domain/Errors"
import { addressKey, type EmailAddress } from "@switchboard/domain/email/EmailAddress"
import { afterUpdate } from "@switchboard/domain/Fields"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import {
  type ChannelIdentities,
  type CreateParticipant,
  Participant,
  ParticipantId,
  type UpdateParticipant
} from "@switchboard/domain/participants/Participant"
import { DateTime, Effect, Option } from "effect"
import { parsePhoneNumberFromString } from "libphonenumber-js/max"
import { newId } from "../NewId.js"
import { ParticipantRepo } from "./ParticipantRepo.js"

/**
 * Normalizes a phone number to E.164; none if no country has numbers of this form. Whether the number is assigned is
 * not checked.
 */
export const normalizedPhone = (text: string): Option.Option<string> =>
  Option.fromNullable(parsePhoneNumberFromString(text, { extract: false })).pipe(
    Option.filter((phone) => phone.ext === undefined && phone.isPossible()),
    Option.map((phone) => phone.number)
  )

/** Normalizes the phone number of a WhatsApp account, which may lack the plus sign. */
export const normalizedWhatsAppId = (text: string): Option.Option<string> =>
  normalizedPhone(/^\d/.test(text) ? `+${text}` : text)

/** The addresses in a request: null removes one, an omitted one stays. */
interface RequestedAddresses {
  readonly email?: EmailAddress | null | undefined
  readonly phone?: string | null | undefined
  readonly whatsappId?: string | null | undefined
}

/** The same addresses, normalized. */
type NormalizedAddresses = { readonly [Kind in keyof ChannelIdentities]: string | null | undefined }

const kinds = ["email", "phone", "whatsapp"] as const

/** Normalizes the addresses of a request. Fails with the fields that are invalid. */
export const normalizedAddresses = ({
  email,
  phone,
  whatsappId
}: RequestedAddresses): Effect.Effect<NormalizedAddresses, ValidationError> => {
  const fields: Record<string, ReadonlyArray<string>> = {}
  const number = (
    field: string,
    value: string | null | undefined,
    normalized: (text: string) => Option.Option<string>
  ) => {
    if (value === undefined || value === null) return value
    const known = normalized(value)
    if (Option.isSome(known)) return known.value
    fields[field] = ["must be a phone number with its country code, like +49 30 123456"]
  }
  const addresses = {
    email: email ? addressKey(email) : email,
    phone: number("phone", phone, normalizedPhone),
    whatsapp: number("whatsappId", whatsappId, normalizedWhatsAppId)
  }
  return Object.keys(fields).length === 0
    ? Effect.succeed(addresses)
    : new ValidationError({ message: "The request body is invalid", fields })
}

/** Applies a request to a participant's addresses: an address replaces all earlier ones of its kind. */
export const withAddresses = (before: ChannelIdentities, changes: NormalizedAddresses): ChannelIdentities =>
  Object.fromEntries(
    kinds.flatMap((kind) => {
      const address = changes[kind]
      const addresses = address === undefined ? before[kind] : address === null ? undefined : [address]
      return addresses === undefined ? [] : [[kind, addresses] as const]
    })
  )

/** The participants of an organization. */
export class Participants extends Effect.Service<Participants>()("services/Participants", {
  effect: Effect.gen(function* () {
    const repo = yield* ParticipantRepo

    const notFound = (id: ParticipantId) => new ResourceNotFoundError({ resource: "participant", id })

    const create = Effect.fn("Participants.create")(function* (
      organizationId: OrganizationId,
      { country, displayName, metadata, name, region, ...addresses }: CreateParticipant
    ) {
      const normalized = yield* normalizedAddresses(addresses)
      const { id, now } = yield* newId(ParticipantId)
      return yield* repo.insert(
        new Participant(
          {
            id,
            organizationId,
            name,
            displayName,
            type: "contact",
            channelIdentities: withAddresses({}, normalized),
            country,
            region,
            metadata,
            createdAt: now,
            updatedAt: now
          },
          { disableValidation: true }
        )
      )
    })

    const get = Effect.fn("Participants.get")(function* (organization: OrganizationId, id: ParticipantId) {
      const found = yield* repo.find(organization, id)
      return yield* Effect.mapError(found, () => notFound(id))
    })

    const update = Effect.fn("Participants.update")(function* (
      organization: OrganizationId,
      id: ParticipantId,
      { country, displayName, metadata, name, region, ...addresses }: UpdateParticipant
    ) {
      const normalized = yield* normalizedAddresses(addresses)
      const now = yield* DateTime.now
      const changed = yield* repo.change(
        organization,
        id,
        (before) =>
          new Participant(
            {
              ...before,
              name: name ?? before.name,
              displayName: afterUpdate(displayName, before.displayName, undefined),
              channelIdentities: withAddresses(before.channelIdentities, normalized),
              country: afterUpdate(country, before.country, undefined),
              region: afterUpdate(region, before.region, undefined),
              metadata: afterUpdate(metadata, before.metadata, undefined),
              updatedAt: now
            },
            { disableValidation: true }
          )
      )
      return yield* Effect.mapError(changed, () => notFound(id))
    })

    const remove = Effect.fn("Participants.remove")(function* (organization: OrganizationId, id: ParticipantId) {
      if (!(yield* repo.remove(organization, id))) return yield* notFound(id)
    })

    return { create, get, list: repo.list, update, remove } as const
  })
}) {}
