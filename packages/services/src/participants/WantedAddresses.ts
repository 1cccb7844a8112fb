import { ValidationError } from "@switchboard/domain/Errors"
import { addressKey, type EmailAddress } from "@switchboard/domain/email/EmailAddress"
import type { ChannelIdentities } from "@switchboard/domain/participants/Participant"
import { Effect, Option } from "effect"
import { normalizedPhone, normalizedWhatsAppId } from "./NormalizedPhone.js"

/** Addresses as a request names them: null takes away, what is left out stays. */
export interface GivenAddresses {
  readonly email?: EmailAddress | null | undefined
  readonly phone?: string | null | undefined
  readonly whatsappId?: string | null | undefined
}

/** The same, each in the one form that it is found by. */
export type WantedAddresses = { readonly [Kind in keyof ChannelIdentities]: string | null | undefined }

const kinds = ["email", "phone", "whatsapp"] as const

/** The addresses of a request, or which of them nobody can have. */
export const wantedAddresses = ({
  email,
  phone,
  whatsappId
}: GivenAddresses): Effect.Effect<WantedAddresses, ValidationError> => {
  const fields: Record<string, ReadonlyArray<string>> = {}
  const number = (
    field: string,
    given: string | null | undefined,
    normalized: (text: string) => Option.Option<string>
  ) => {
    if (given === undefined || given === null) return given
    const known = normalized(given)
    if (Option.isSome(known)) return known.value
    fields[field] = ["must be a phone number with its country code, like +49 30 123456"]
  }
  const wanted = {
    email: email ? addressKey(email) : email,
    phone: number("phone", phone, normalizedPhone),
    whatsapp: number("whatsappId", whatsappId, normalizedWhatsAppId)
  }
  return Object.keys(fields).length === 0
    ? Effect.succeed(wanted)
    : new ValidationError({ message: "The request body is invalid", fields })
}

/** The addresses that somebody has from now on: one that is wanted takes the place of all of its kind. */
export const withAddresses = (before: ChannelIdentities, wanted: WantedAddresses): ChannelIdentities =>
  Object.fromEntries(
    kinds.flatMap((kind) => {
      const address = wanted[kind]
      const addresses = address === undefined ? before[kind] : address === null ? undefined : [address]
      return addresses === undefined ? [] : [[kind, addresses] as const]
    })
  )
