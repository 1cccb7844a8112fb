import { decodeSmsText, type SegmentedText } from "@switchboard/domain/sms/SmsText"
import { type ShortMessage, Tag } from "./Pdu.js"

/** The place of a segment in a concatenated text. */
export interface TextPart {
  readonly reference: number
  readonly number: number
  readonly total: number
}

/** The bit of esm_class for a user data header (UDHI). */
export const udhIndicator = 0x40

/** Information elements of the user data header (3GPP TS 23.040 section 9.2.3.24). */
const concatenation8 = 0x00
const concatenation16 = 0x08

/** A segment as it is sent: esm_class, data_coding and short_message. */
export type EncodedSegment = Pick<ShortMessage, "esmClass" | "dataCoding" | "shortMessage">

/** The segments of a text; those of a concatenated text have a header with this 8-bit reference. */
export const encodeSegments = ({ encoding, segments }: SegmentedText, reference: number): Array<EncodedSegment> => {
  const dataCoding = encoding === "gsm7" ? 0 : 8
  return segments.map((octets, index) =>
    segments.length === 1
      ? { esmClass: 0, dataCoding, shortMessage: octets }
      : {
          esmClass: udhIndicator,
          dataCoding,
          shortMessage: Buffer.concat([
            Buffer.of(5, concatenation8, 3, reference & 0xff, segments.length, index + 1),
            octets
          ])
        }
  )
}

/** A part whose number is beyond its total, or a total of one, is a text of its own. */
const validPart = (part: TextPart): TextPart | null =>
  part.total > 1 && part.number >= 1 && part.number <= part.total ? part : null

/** The part that a user data header names. Unknown and truncated elements are ignored. */
const partOfHeader = (header: Uint8Array): TextPart | null => {
  for (let at = 0; at + 1 < header.length; ) {
    const [element, length = 0] = header.subarray(at, at + 2)
    const data = header.subarray(at + 2, at + 2 + length)
    const [a = 0, b = 0, c = 0, d = 0] = data
    if (element === concatenation8 && length === 3 && data.length === 3) {
      return validPart({ reference: a, total: b, number: c })
    }
    if (element === concatenation16 && length === 4 && data.length === 4) {
      return validPart({ reference: (a << 8) | b, total: c, number: d })
    }
    at += 2 + length
  }
  return null
}

/** The part that the optional parameters sar_* name. */
const partOfTlvs = ({ tlvs }: ShortMessage): TextPart | null => {
  const [high, low] = tlvs.get(Tag.sarMsgRefNum) ?? []
  const [total] = tlvs.get(Tag.sarTotalSegments) ?? []
  const [number] = tlvs.get(Tag.sarSegmentSeqnum) ?? []
  return high === undefined || low === undefined || total === undefined || number === undefined
    ? null
    : validPart({ reference: (high << 8) | low, total, number })
}

/**
 * The text of a message, and its part if it is concatenated. A header that is longer than the message is ignored
 * together with its length octet.
 */
export const readText = (message: ShortMessage): { readonly text: string; readonly part: TextPart | null } => {
  const payload = message.tlvs.get(Tag.messagePayload)
  const octets = message.shortMessage.length === 0 && payload !== undefined ? payload : message.shortMessage
  const decode = (data: Uint8Array) => decodeSmsText(message.dataCoding, data)
  const [headerLength = 0] = octets
  if ((message.esmClass & udhIndicator) === 0) return { text: decode(octets), part: partOfTlvs(message) }
  if (headerLength >= octets.length) return { text: decode(octets.subarray(1)), part: partOfTlvs(message) }
  return {
    text: decode(octets.subarray(1 + headerLength)),
    part: partOfHeader(octets.subarray(1, 1 + headerLength)) ?? partOfTlvs(message)
  }
}
