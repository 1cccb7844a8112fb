import { ResourceNotFoundError, ValidationError } from "@switchboard/domain/Errors"
import { addressKey, EmailAddress, type Mailbox } from "@switchboard/domain/email/EmailAddress"
import type { Addressees } from "@switchboard/domain/messages/RequestIdentity"
import type { SendRecipient } from "@switchboard/domain/messages/SendRecipient"
import type { SendRequest } from "@switchboard/domain/messages/SendRequest"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import type { ParticipantId } from "@switchboard/domain/participants/Participant"
import { Effect, Option, Schema } from "effect"
import type { ParticipantRepo } from "../../participants/ParticipantRepo.js"

const decodeAddress = Schema.decodeUnknownOption(EmailAddress)

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

type RecipientRoles = Record<keyof Roles, ReadonlyArray<SendRecipient>>

const mailboxesOf = (recipients: ReadonlyArray<SendRecipient>): ReadonlyArray<Mailbox> =>
  recipients.flatMap(({ email, name }) => (email === undefined ? [] : { address: email, name }))

/** Resolves the recipients of a request to addresses: looks up contacts and removes duplicates. */
export const addressing = (participants: ParticipantRepo["Type"]) => {
  const resolveContacts = Effect.fnUntraced(function* (
    organization: OrganizationId,
    roles: RecipientRoles,
    ids: ReadonlyArray<ParticipantId>
  ) {
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
      Effect.forEach(roles[role], (recipient, index) =>
        Effect.map(addressOf(recipient, `${role}.${index}`), (address): Mailbox => ({ address, name: recipient.name }))
      )
    return distinct({ to: yield* resolve("to"), cc: yield* resolve("cc"), bcc: yield* resolve("bcc") })
  })

  return (organization: OrganizationId, { bcc = [], cc = [], to }: SendRequest) => {
    const ids = [to, cc, bcc].flatMap((list) => list.flatMap(({ contactId }) => contactId ?? []))
    return ids.length === 0
      ? Effect.succeed(distinct({ to: mailboxesOf(to), cc: mailboxesOf(cc), bcc: mailboxesOf(bcc) }))
      : resolveContacts(organization, { to, cc, bcc }, ids)
  }
}
