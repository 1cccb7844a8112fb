import { ResourceNotFoundError, type ServiceUnavailableError, ValidationError } from "@switchboard/domain/Errors"
import { addressKey, EmailAddress, type Mailbox } from "@switchboard/domain/email/EmailAddress"
import type { Addressees } from "@switchboard/domain/messages/RequestIdentity"
import type { SendRecipient, SmsRecipient, WhatsAppRecipient } from "@switchboard/domain/messages/SendRecipient"
import type { EmailSend } from "@switchboard/domain/messages/SendRequest"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import type { MessageParticipant, ParticipantId } from "@switchboard/domain/participants/Participant"
import { Effect, Option, Schema } from "effect"
import type { ParticipantRepo } from "../../participants/ParticipantRepo.js"
import { normalizedPhone, normalizedWhatsAppId } from "../../participants/Participants.js"

const decodeAddress = Schema.decodeUnknownOption(EmailAddress)

const invalid = (field: string, message: string) =>
  new ValidationError({ message: "The request body is invalid", fields: { [field]: [message] } })

/** Finds the address of a contact by its id; fails if the contact is unknown or has no such address. */
type ContactAddress<A> = (id: ParticipantId, field: string) => Effect.Effect<A, ResourceNotFoundError | ValidationError>

/** Looks up contacts, and finds the address of each by `addressOf`. `kind` names the address in errors. */
const contactAddresses = <A>(
  participants: ParticipantRepo["Type"],
  organization: OrganizationId,
  ids: ReadonlyArray<ParticipantId>,
  addressOf: (contact: MessageParticipant) => Option.Option<A>,
  kind: string
): Effect.Effect<ContactAddress<A>, ServiceUnavailableError> =>
  Effect.map(participants.findMany(organization, ids), (contacts) => (id, field) => {
    const contact = contacts.find((one) => one.id === id)
    if (contact === undefined) return new ResourceNotFoundError({ resource: "participant", id })
    return Option.match(addressOf(contact), {
      onSome: Effect.succeed,
      onNone: () => invalid(`${field}.contactId`, `is a contact without ${kind}`)
    })
  })

type Roles = Record<"to" | "cc" | "bcc", ReadonlyArray<Mailbox>>

/** Removes duplicate addressees: an address keeps its first role and its first name. */
const distinct = ({ bcc, cc, to }: Roles): Addressees => {
  const seen = new Map<string, EmailAddress>()
  const names: Record<EmailAddress, string> = {}
  const firstOnly = (mailboxes: ReadonlyArray<Mailbox>) =>
    mailboxes.flatMap(({ address, name }) => {
      const key = addressKey(address)
      const first = seen.get(key)
      const known = first ?? address
      if (name !== undefined) names[known] ??= name
      if (first !== undefined) return []
      seen.set(key, address)
      return [address]
    })
  return { to: firstOnly(to), cc: firstOnly(cc), bcc: firstOnly(bcc), names }
}

const mailboxesOf = (recipients: ReadonlyArray<SendRecipient>): ReadonlyArray<Mailbox> =>
  recipients.flatMap(({ email, name }) => (email === undefined ? [] : { address: email, name }))

/** Resolves the recipients of an e-mail to addresses: looks up contacts and removes duplicates. */
export const mailAddressing = (participants: ParticipantRepo["Type"]) => {
  const resolveContacts = Effect.fnUntraced(function* (
    organization: OrganizationId,
    roles: Record<keyof Roles, ReadonlyArray<SendRecipient>>,
    ids: ReadonlyArray<ParticipantId>
  ) {
    const addressOf = yield* contactAddresses(
      participants,
      organization,
      ids,
      ({ channelIdentities }) => decodeAddress(channelIdentities?.email?.[0]),
      "an email address"
    )
    const resolve = (role: keyof typeof roles) =>
      Effect.forEach(roles[role], ({ contactId, email, name }, index) =>
        email === undefined
          ? Effect.map(addressOf(contactId, `${role}.${index}`), (address): Mailbox => ({ address, name }))
          : Effect.succeed<Mailbox>({ address: email, name })
      )
    return distinct({ to: yield* resolve("to"), cc: yield* resolve("cc"), bcc: yield* resolve("bcc") })
  })

  return (organization: OrganizationId, { bcc = [], cc = [], to }: EmailSend) => {
    const ids = [to, cc, bcc].flatMap((list) => list.flatMap(({ contactId }) => contactId ?? []))
    return ids.length === 0
      ? Effect.succeed(distinct({ to: mailboxesOf(to), cc: mailboxesOf(cc), bcc: mailboxesOf(bcc) }))
      : resolveContacts(organization, { to, cc, bcc }, ids)
  }
}

/** Resolves the recipients of a text message to phone numbers (E.164): looks up contacts and removes duplicates. */
export const phoneAddressing = (participants: ParticipantRepo["Type"]) =>
  Effect.fnUntraced(function* (organization: OrganizationId, recipients: ReadonlyArray<SmsRecipient>) {
    const phoneOf = yield* contactAddresses(
      participants,
      organization,
      recipients.flatMap(({ contactId }) => contactId ?? []),
      ({ channelIdentities }) => Option.fromNullable(channelIdentities?.phone?.[0]),
      "a phone number"
    )
    const phones = yield* Effect.forEach(recipients, ({ contactId, phone }, index) =>
      phone === undefined
        ? phoneOf(contactId, `to.${index}`)
        : Effect.mapError(normalizedPhone(phone), () =>
            invalid(`to.${index}.phone`, "must be a phone number that a country can have")
          )
    )
    return [...new Set(phones)]
  })

/** Resolves the recipient of a WhatsApp message to a number (E.164): looks up the contact. */
export const whatsappAddressing = (participants: ParticipantRepo["Type"]) =>
  Effect.fnUntraced(function* (organization: OrganizationId, [recipient]: ReadonlyArray<WhatsAppRecipient>) {
    if (recipient === undefined) return yield* invalid("to", "must name a recipient")
    const { contactId, phone, whatsappId } = recipient
    if (contactId === undefined) {
      return yield* Effect.mapError(normalizedWhatsAppId(phone ?? whatsappId), () =>
        invalid(
          phone === undefined ? "to.0.whatsappId" : "to.0.phone",
          "must be a phone number that a country can have"
        )
      )
    }
    const addressOf = yield* contactAddresses(
      participants,
      organization,
      [contactId],
      ({ channelIdentities }) => Option.fromNullable(channelIdentities?.whatsapp?.[0]),
      "a WhatsApp id"
    )
    return yield* addressOf(contactId, "to.0")
  })
