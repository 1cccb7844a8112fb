import { Schema } from "effect"
import { EmailAddress } from "../email/EmailAddress.js"
import { narrowedTo, oneOf } from "../Fields.js"
import { ParticipantId } from "../participants/Participant.js"
import { PhoneNumber } from "../sms/SmsNumber.js"
import { matching, text } from "../Text.js"

/** A display name without control characters: a line break would inject a header. */
const DisplayName = text(1, 200)
  .pipe(matching(/^[^\x00-\x1f\x7f-\x9f]*$/, "must not contain control characters"))
  .annotations({ description: "the display name in the mail's header; an extension" })

const name = Schema.optional(DisplayName)
const none = Schema.optional(Schema.Undefined)

/** An address or a contact, never both. */
type Named = { readonly name?: string | undefined } & (
  | { readonly email: EmailAddress; readonly contactId?: undefined }
  | { readonly email?: undefined; readonly contactId: ParticipantId }
)

/** A recipient: an address, or a participant of the organization with an address. */
export const SendRecipient = Schema.Struct({
  email: Schema.optional(EmailAddress),
  contactId: Schema.optional(ParticipantId),
  name
})
  .pipe(
    Schema.filter(
      (recipient): recipient is typeof recipient & Named =>
        (recipient.email === undefined) !== (recipient.contactId === undefined),
      {
        message: () => "must have either email or contactId"
      }
    )
  )
  .annotations({
    identifier: "SendRecipient",
    description: "an email address or a contact",
    jsonSchema: oneOf(Schema.Struct({ email: EmailAddress, name }), Schema.Struct({ contactId: ParticipantId, name })),
    ...narrowedTo(
      Schema.Union(
        Schema.Struct({ email: EmailAddress, contactId: none, name }),
        Schema.Struct({ email: none, contactId: ParticipantId, name })
      )
    )
  })
export type SendRecipient = typeof SendRecipient.Type

/** A phone number or a contact, never both. */
type Phoned =
  | { readonly phone: string; readonly contactId?: undefined }
  | { readonly phone?: undefined; readonly contactId: ParticipantId }

/** A recipient of a text message: a phone number, or a participant of the organization with one. */
export const SmsRecipient = Schema.Struct({
  phone: Schema.optional(PhoneNumber),
  contactId: Schema.optional(ParticipantId)
})
  .pipe(
    Schema.filter(
      (recipient): recipient is typeof recipient & Phoned =>
        (recipient.phone === undefined) !== (recipient.contactId === undefined),
      { message: () => "must have either phone or contactId" }
    )
  )
  .annotations({
    identifier: "SmsRecipient",
    description: "a phone number or a contact",
    jsonSchema: oneOf(Schema.Struct({ phone: PhoneNumber }), Schema.Struct({ contactId: ParticipantId })),
    ...narrowedTo(
      Schema.Union(
        Schema.Struct({ phone: PhoneNumber, contactId: none }),
        Schema.Struct({ phone: none, contactId: ParticipantId })
      )
    )
  })
export type SmsRecipient = typeof SmsRecipient.Type

/** A phone number, a WhatsApp id or a contact: one of them. */
type OnWhatsApp =
  | { readonly phone: string; readonly whatsappId?: undefined; readonly contactId?: undefined }
  | { readonly phone?: undefined; readonly whatsappId: string; readonly contactId?: undefined }
  | { readonly phone?: undefined; readonly whatsappId?: undefined; readonly contactId: ParticipantId }

const WhatsAppId = Schema.String.pipe(
  matching(/^\+?[1-9][0-9]{6,14}$/, "must be a WhatsApp id: a phone number with its country code")
).annotations({ description: "the number of a WhatsApp account", examples: ["4930123456"] })

/** The recipient of a WhatsApp message: a number, or a participant of the organization with a WhatsApp account. */
export const WhatsAppRecipient = Schema.Struct({
  phone: Schema.optional(PhoneNumber),
  whatsappId: Schema.optional(WhatsAppId),
  contactId: Schema.optional(ParticipantId)
})
  .pipe(
    Schema.filter(
      (recipient): recipient is typeof recipient & OnWhatsApp =>
        Object.values(recipient).filter((address) => address !== undefined).length === 1,
      { message: () => "must have one of phone, whatsappId and contactId" }
    )
  )
  .annotations({
    identifier: "WhatsAppRecipient",
    description: "a phone number, a WhatsApp id or a contact",
    jsonSchema: oneOf(
      Schema.Struct({ phone: PhoneNumber }),
      Schema.Struct({ whatsappId: WhatsAppId }),
      Schema.Struct({ contactId: ParticipantId })
    ),
    ...narrowedTo(
      Schema.Union(
        Schema.Struct({ phone: PhoneNumber, whatsappId: none, contactId: none }),
        Schema.Struct({ phone: none, whatsappId: WhatsAppId, contactId: none }),
        Schema.Struct({ phone: none, whatsappId: none, contactId: ParticipantId })
      )
    )
  })
export type WhatsAppRecipient = typeof WhatsAppRecipient.Type
