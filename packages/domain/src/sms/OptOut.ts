import { type DateTime, Schema } from "effect"
import { suppressDeliveries } from "../email/blocks/Suppression.js"
import { choice } from "../Fields.js"
import type { MessageState } from "../messages/state/MessageState.js"
import { Timestamp } from "../Timestamp.js"
import { Uuid } from "../Uuid.js"
import { PhoneNumber, SenderId } from "./SmsNumber.js"

export const OptOutId = Uuid.pipe(Schema.brand("OptOutId"))
export type OptOutId = typeof OptOutId.Type

/** A phone that gets no texts from a number. */
export class OptOut extends Schema.Class<OptOut>("OptOut")({
  id: OptOutId,
  number: SenderId,
  phone: PhoneNumber,
  source: choice("recipient", "api"),
  createdAt: Timestamp
}) {}

/** A new opt-out of a phone from a number of the organization. */
export const CreateOptOut = Schema.Struct({ number: SenderId, phone: PhoneNumber }).annotations({
  identifier: "CreateOptOut"
})
export type CreateOptOut = typeof CreateOptOut.Type

/** The opt-out of each phone that opted out of the texts from a number. */
export type OptedOut = ReadonlyMap<string, OptOutId>

/** Suppresses the open deliveries of a text to phones that opted out of the texts from its number. */
export const suppressOptOuts = (state: MessageState, optedOut: OptedOut, now: DateTime.Utc): MessageState =>
  suppressDeliveries(
    state,
    (recipient) => {
      const optOutId = optedOut.get(recipient)
      return optOutId === undefined ? undefined : { optOutId, reason: "opt_out" }
    },
    now
  )

/** Filters of a list of opt-outs. */
export const OptOutFilters = Schema.Struct({
  number: Schema.optional(SenderId),
  phone: Schema.optional(PhoneNumber)
})
export type OptOutFilters = typeof OptOutFilters.Type

/** What a received text requests: `stop` opts out, `start` lifts the opt-out. */
export type OptOutWord = "stop" | "start"

const words: ReadonlyMap<string, OptOutWord> = new Map([
  ["STOP", "stop"],
  ["STOPALL", "stop"],
  ["UNSUBSCRIBE", "stop"],
  ["CANCEL", "stop"],
  ["END", "stop"],
  ["QUIT", "stop"],
  ["START", "start"],
  ["UNSTOP", "start"]
])

/** The request of a text that consists of one of the words, in any case. White space around it is ignored. */
export const optOutWord = (text: string): OptOutWord | null => words.get(text.trim().toUpperCase()) ?? null
