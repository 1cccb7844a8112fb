import type { SmsEncoding } from "./SmsContent.js"

/** The segments of a text message at most: 1,530 septets in GSM 03.38, 670 code units in UCS-2. */
export const maxSmsSegments = 10

/** The longest text: `maxSmsSegments` of GSM 03.38, in characters. */
export const maxSmsLength = 1_530

/** The octet that starts a character of the extension table. */
const escape = 0x1b

/** The default alphabet (3GPP TS 23.038 section 6.2.1) in the order of its codes. */
const defaultAlphabet =
  "@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞ\u001bÆæßÉ !\"#¤%&'()*+,-./0123456789:;<=>?" +
  "¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà"

/** The extension table (3GPP TS 23.038 section 6.2.1.1): the codes after an escape. */
const extensionTable: ReadonlyArray<readonly [code: number, character: string]> = [
  [0x0a, "\f"],
  [0x14, "^"],
  [0x28, "{"],
  [0x29, "}"],
  [0x2f, "\\"],
  [0x3c, "["],
  [0x3d, "~"],
  [0x3e, "]"],
  [0x40, "|"],
  [0x65, "€"]
]

const extensionCharacters: ReadonlyMap<number, string> = new Map(extensionTable)

/** The septets of each character that GSM 03.38 has. */
const septetsOf: ReadonlyMap<string, ReadonlyArray<number>> = new Map([
  ...[...defaultAlphabet].flatMap(
    (character, code): ReadonlyArray<[string, ReadonlyArray<number>]> => (code === escape ? [] : [[character, [code]]])
  ),
  ...extensionTable.map(([code, character]): [string, ReadonlyArray<number>] => [character, [escape, code]])
])

/** A text in the encoding and the segments in which it is sent. */
export interface SegmentedText {
  readonly encoding: SmsEncoding
  /** GSM 03.38: one septet per octet, not packed. UCS-2: UTF-16, high octet first. */
  readonly segments: ReadonlyArray<Uint8Array>
}

/** Octets of one segment: of a text in one segment, and of a concatenated text (6 octets are for the header). */
const segmentLength = { gsm7: { single: 160, part: 153 }, ucs2: { single: 140, part: 134 } } as const

/** The septets of each character, or null if GSM 03.38 lacks one. */
const gsmCharacters = (text: string): ReadonlyArray<ReadonlyArray<number>> | null => {
  const characters: Array<ReadonlyArray<number>> = []
  for (const character of text) {
    const septets = septetsOf.get(character)
    if (septets === undefined) return null
    characters.push(septets)
  }
  return characters
}

/** The octets of each character: 2, or 4 for a surrogate pair. */
const ucs2Characters = (text: string): ReadonlyArray<ReadonlyArray<number>> =>
  Array.from(text, (character) =>
    Array.from({ length: character.length }, (_, at) => character.charCodeAt(at)).flatMap((unit) => [
      unit >> 8,
      unit & 0xff
    ])
  )

/** Fills segments with characters. A character is never split. */
const fill = (characters: ReadonlyArray<ReadonlyArray<number>>, maxLength: number): ReadonlyArray<Uint8Array> => {
  const segments: Array<Uint8Array> = []
  let octets: Array<number> = []
  for (const character of characters) {
    if (octets.length + character.length > maxLength) {
      segments.push(Uint8Array.from(octets))
      octets = []
    }
    octets.push(...character)
  }
  segments.push(Uint8Array.from(octets))
  return segments
}

/**
 * Splits a text into segments: 160 septets or 153 per part in GSM 03.38, otherwise 70 code units or 67 per part in
 * UCS-2. Neither an escape pair nor a surrogate pair is split. The number of segments has no limit here.
 */
export const segmentText = (text: string): SegmentedText => {
  const gsm = gsmCharacters(text)
  const encoding = gsm === null ? "ucs2" : "gsm7"
  const characters = gsm ?? ucs2Characters(text)
  const { part, single } = segmentLength[encoding]
  const length = characters.reduce((sum, character) => sum + character.length, 0)
  return { encoding, segments: fill(characters, length <= single ? single : part) }
}

/** Decodes GSM 03.38. An octet beyond the alphabet is read as Latin-1, an unknown escape as a space. */
const decodeGsm = (octets: Uint8Array): string => {
  let text = ""
  for (let at = 0; at < octets.length; at += 1) {
    const code = octets[at] ?? 0
    if (code === escape) {
      at += 1
      if (at < octets.length) text += extensionCharacters.get(octets[at] ?? 0) ?? " "
    } else text += defaultAlphabet[code] ?? String.fromCharCode(code)
  }
  return text
}

const decodeLatin1 = (octets: Uint8Array): string => Array.from(octets, (octet) => String.fromCharCode(octet)).join("")

/** Decodes UTF-16, high octet first. An odd last octet is ignored. */
const decodeUcs2 = (octets: Uint8Array): string =>
  Array.from({ length: octets.length >> 1 }, (_, at) =>
    String.fromCharCode(((octets[at * 2] ?? 0) << 8) | (octets[at * 2 + 1] ?? 0))
  ).join("")

const decoders = { gsm7: decodeGsm, latin1: decodeLatin1, ucs2: decodeUcs2 }

/** The alphabet of an SMPP data_coding (SMPP 3.4 section 5.2.19, and the groups of 3GPP TS 23.038 section 4). */
const alphabetOf = (dataCoding: number): keyof typeof decoders => {
  if (dataCoding === 0) return "gsm7"
  if (dataCoding === 8) return "ucs2"
  // Message classes 0 to 3.
  if (dataCoding >= 0xf0) return (dataCoding & 4) === 0 ? "gsm7" : "latin1"
  if (dataCoding >= 0x10 && dataCoding < 0x40) {
    const alphabet = (dataCoding >> 2) & 3
    return alphabet === 0 ? "gsm7" : alphabet === 2 ? "ucs2" : "latin1"
  }
  return "latin1"
}

/**
 * Decodes a received text: data_coding 0 is GSM 03.38 with unpacked septets, 8 is UCS-2, others such as ASCII (1),
 * Latin-1 (3) and binary (2, 4) are read as Latin-1.
 */
export const decodeSmsText = (dataCoding: number, octets: Uint8Array): string =>
  decoders[alphabetOf(dataCoding)](octets)

/** The encoding that a data_coding stands for. */
export const encodingOf = (dataCoding: number): SmsEncoding => (alphabetOf(dataCoding) === "ucs2" ? "ucs2" : "gsm7")
