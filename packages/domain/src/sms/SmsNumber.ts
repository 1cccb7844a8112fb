import { Schema } from "effect"
import { choice, distinct, items } from "../Fields.js"
import { matching } from "../Text.js"
import { Timestamp } from "../Timestamp.js"
import { Uuid } from "../Uuid.js"
import { VoiceAgentId } from "../voice/agents/VoiceAgent.js"

/** The letters of the GSM 03.38 basic table. */
const gsmLetters = "A-Za-zÄÖÑÜäöñüàèéùìòÇØøÅåÆæßÉΔΦΓΛΩΠΨΣΘΞ"

/** The other characters of the table except line breaks. */
const gsmOthers = "0-9 @£$¥_!\"#¤%&'()*+,./:;<=>?¡§¿\\-"

const numberForm = /^\+[1-9][0-9]{6,14}$/
const shortCodeForm = /^[0-9]{3,8}$/
const nameForm = new RegExp(`^[${gsmOthers}]*[${gsmLetters}][${gsmOthers}${gsmLetters}]*$`)
const maxNameLength = 11

/** The sender of texts: a number with its country code (E.164), a short code, or a name. */
export const SenderId = Schema.String.pipe(
  Schema.filter(
    (value) =>
      numberForm.test(value) ||
      shortCodeForm.test(value) ||
      (value.length <= maxNameLength && nameForm.test(value)) ||
      "must be a number like +4930123456, a short code of 3 to 8 digits, or 1 to 11 GSM 03.38 characters with a letter",
    {
      jsonSchema: {
        anyOf: [
          { type: "string", pattern: numberForm.source, examples: ["+4930123456"] },
          { type: "string", pattern: shortCodeForm.source },
          { type: "string", pattern: nameForm.source, maxLength: maxNameLength, examples: ["Ada GmbH"] }
        ]
      }
    }
  )
).annotations({ identifier: "SenderId", description: "a number or sender id", examples: ["+4930123456"] })
export type SenderId = typeof SenderId.Type

/** The phone number of a recipient in E.164. The service checks whether a country has numbers of this form. */
export const PhoneNumber = Schema.String.pipe(
  matching(numberForm, "must be a phone number with plus and country code, like +4930123456")
).annotations({ identifier: "PhoneNumber", description: "a phone number (E.164)", examples: ["+4930123456"] })
export type PhoneNumber = typeof PhoneNumber.Type

/** The channels that numbers are used in. */
export const NumberChannel = choice("sms", "whatsapp", "voice").annotations({ identifier: "NumberChannel" })
export type NumberChannel = typeof NumberChannel.Type

/** The channels of a number: at least one. */
export const NumberChannels = Schema.Array(NumberChannel).pipe(items(1, NumberChannel.literals.length), distinct)

export const NumberId = Uuid.pipe(Schema.brand("NumberId"))
export type NumberId = typeof NumberId.Type

/** A number or sender id of an organization. */
export class SmsNumber extends Schema.Class<SmsNumber>("SmsNumber")({
  /** Made when it is stored. */
  id: Schema.optional(NumberId),
  number: SenderId,
  channels: NumberChannels,
  voiceAgentId: Schema.optional(VoiceAgentId),
  createdAt: Timestamp
}) {}
