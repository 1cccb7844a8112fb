import { ValidationError } from "@switchboard/domain/Errors"
import { addressKey, type EmailAddress } from "@switchboard/domain/email/EmailAddress"
import type { ChannelIdentities } from "@switchboard/domain/participants/Participant"
import { Effect, Option } from "effect"
import { normalizedPhone, normalizedWhatsAppId } from "./NormalizedPhone.js"

/** The addresses in a request: null removes one, an omitted one stays. */
export interface RequestedAddresses {
  readonly email?: EmailAddress | null | undefined
  readonly phone?: string | null | undefined
  readonly whatsappId?: string | null | undefined
}

/** The same addresses, normalized. */
export type NormalizedAddresses = { readonly [Kind in keyof ChannelIdentities]: string | null | undefined }

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
