import type { ProviderEvent, Receipt, ReceivedText } from "@switchboard/services/providers/ProviderEvent"
import { storableText } from "../StorableText.js"
import { readText } from "./ConcatenatedText.js"
import { latin1, type ShortMessage, type SmppAddress, Tag } from "./Pdu.js"

/** The bits of esm_class for the type of message (SMPP 3.4 section 5.2.12). */
const messageType = 0x3c

/** An SMSC delivery receipt, or an intermediate notification. */
const receiptTypes: ReadonlySet<number> = new Set([0x04, 0x20])

/** The states of the optional parameter message_state (section 5.2.28). */
export const messageStates = [
  "",
  "ENROUTE",
  "DELIVRD",
  "EXPIRED",
  "DELETED",
  "UNDELIV",
  "ACCEPTD",
  "UNKNOWN",
  "REJECTD"
]

const statusOf: ReadonlyMap<string, Receipt["status"]> = new Map([
  ["ENROUTE", "sent"],
  ["ACCEPTD", "sent"],
  ["DELIVRD", "delivered"],
  ["EXPIRED", "failed"],
  ["DELETED", "failed"],
  ["UNDELIV", "failed"],
  ["UNKNOWN", "failed"],
  ["REJECTD", "failed"]
])

/** In characters: the response of a receipt that is stored. */
const maxResponse = 255

/**
 * The forms of a message id: as sent, then its counterparts, because servers respond to submit_sm in one of decimal and
 * hexadecimal and send receipts in the other, some with leading zeros.
 */
const idForms = (id: string): readonly [string, ...Array<string>] => {
  const forms = new Set<string>()
  const add = (text: string, length: number) => {
    for (const form of [text, text.padStart(length, "0")]) forms.add(form).add(form.toUpperCase())
  }
  if (/^[0-9]{1,64}$/.test(id)) add(BigInt(id).toString(16), 8)
  if (/^[0-9a-f]{1,64}$/i.test(id)) add(BigInt(`0x${id}`).toString(10), 10)
  forms.delete(id)
  return [id, ...forms]
}

/** The value of a field of a receipt's text: `id:1 sub:001 dlvrd:001 … stat:DELIVRD err:000 text:…`. */
const fieldOf = (text: string, name: "id" | "stat" | "err"): string =>
  new RegExp(`(?:^|\\s)${name}:\\s?([^\\s:]{1,65})(?=\\s|$)`, "i").exec(text)?.[1] ?? ""

/** Reads a delivery receipt; null if it names no message or no known state. */
const readReceipt = (message: ShortMessage, at: string): Receipt | null => {
  const { text } = readText(message)
  // The text of the message, which follows, may contain the names of fields.
  const [fields = ""] = text.split(/(?:^|\s)text:/i, 1)
  const stated = latin1(message.tlvs.get(Tag.receiptedMessageId) ?? new Uint8Array()).split("\0", 1)[0] ?? ""
  const id = storableText(stated === "" ? fieldOf(fields, "id") : stated, 65)
  const [tlvState = 0] = message.tlvs.get(Tag.messageState) ?? []
  const state = messageStates[tlvState] || fieldOf(fields, "stat").toUpperCase()
  const status = statusOf.get(state)
  if (id === "" || status === undefined) return null
  const error = fieldOf(fields, "err")
  const isFailed = status === "failed"
  return {
    _tag: "Receipt",
    channel: "sms",
    providerMessageIds: idForms(id),
    phone: storableText(phoneNumber(message.source)),
    status,
    ...(isFailed ? { errorCode: storableText(/^0*$/.test(error) ? state : `${state} ${error}`, 64) } : {}),
    response: storableText(text === "" ? state : text, maxResponse),
    at
  }
}

const digits = /^\+?([0-9]{7,20})$/

/** A phone number in E.164 with its plus sign, which TON 1 omits; other addresses stay as they are. */
export const phoneNumber = ({ address }: SmppAddress): string => address.replace(digits, "+$1")

/** The number that received a text. Seven or eight digits are a short code, unless TON says international. */
export const ownNumber = (address: SmppAddress): string =>
  address.ton === 1 || address.address.length > 8 ? phoneNumber(address) : address.address

/** A number or sender id as an address: E.164 is international, other digits a short code, text alphanumeric. */
export const numberAddress = (number: string): SmppAddress => {
  if (number.startsWith("+")) return { ton: 1, npi: 1, address: number.slice(1) }
  return /^[0-9]+$/.test(number) ? { ton: 3, npi: 0, address: number } : { ton: 5, npi: 0, address: number }
}

/** NUL, which PostgreSQL can't store. A part may end within a surrogate pair, so that surrogates stay. */
const withoutNul = (text: string): string => text.replaceAll("\0", "\uFFFD")

/** Reads the event of a deliver_sm; null for a receipt that can't be read. `at` is the time of its arrival. */
export const readDeliverSm = (message: ShortMessage, at: string): ProviderEvent | null => {
  if (receiptTypes.has(message.esmClass & messageType)) return readReceipt(message, at)
  const { part, text } = readText(message)
  const received: ReceivedText = {
    _tag: "ReceivedText",
    channel: "sms",
    from: storableText(phoneNumber(message.source)),
    to: storableText(ownNumber(message.destination)),
    text: part === null ? storableText(text) : withoutNul(text),
    providerMessageId: null,
    part,
    at
  }
  return received
}
