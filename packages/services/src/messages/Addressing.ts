import { ResourceNotFoundError, ValidationError } from "@switchboard/domain/Errors"
import { addressKey, EmailAddress } from "@switchboard/domain/email/EmailAddress"
import type { Addressees } from "@switchboard/domain/messages/RequestIdentity"
import type { SendRecipient, SendRequest } from "@switchboard/domain/messages/SendRequest"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { Effect, Option, Record, Schema } from "effect"
import type { ParticipantRepo } from "../participants/ParticipantRepo.js"

const decodeAddress = Schema.decodeUnknownOption(EmailAddress)

/** The addressees without repetitions: whoever is named twice gets one copy, in the first role that names them. */
const distinct = (addressees: Addressees): Addressees => {
  const seen = new Set<string>()
  const firstOnly = (addresses: ReadonlyArray<EmailAddress>) =>
    addresses.filter((address) => {
      const key = addressKey(address)
      return seen.has(key) ? false : seen.add(key)
    })
  return { to: firstOnly(addressees.to), cc: firstOnly(addressees.cc), bcc: firstOnly(addressees.bcc) }
}

/** Turns the recipients of a request into addresses: contacts are looked up, repetitions collapse. */
export const addressing = (participants: ParticipantRepo["Type"]) =>
  Effect.fnUntraced(function* (organization: OrganizationId, request: SendRequest) {
    const roles = { to: request.to, cc: request.cc ?? [], bcc: request.bcc ?? [] }
    const ids = Object.values(roles).flatMap((list) => list.flatMap(({ contactId }) => contactId ?? []))
    if (ids.length === 0) return distinct(Record.map(roles, (list) => list.flatMap(({ email }) => email ?? [])))
    const contacts = yield* participants.findMany(organization, ids)
    const addressOf = (
      recipient: SendRecipient,
      field: string
    ): Effect.Effect<EmailAddress, ResourceNotFoundError | ValidationError> => {
      if (recipient.email !== undefined) return Effect.succeed(recipient.email)
      const contact = contacts.find(({ id }) => id === recipient.contactId)
      if (contact === undefined) {
        return new ResourceNotFoundError({ resource: "participant", id: recipient.contactId ?? "" })
      }
      return Option.match(decodeAddress(contact.channelIdentities?.email?.[0]), {
        onSome: Effect.succeed,
        onNone: () =>
          new ValidationError({
            message: "The request body is invalid",
            fields: { [`${field}.contactId`]: ["is a contact without an email address"] }
          })
      })
    }
    const resolve = (role: keyof typeof roles) =>
      Effect.forEach(roles[role], (recipient, index) => addressOf(recipient, `${role}.${index}`))
    return distinct({ to: yield* resolve("to"), cc: yield* resolve("cc"), bcc: yield* resolve("bcc") })
  })
