import { isAscii, isUtf8 } from "node:buffer"
import iconv from "iconv-lite"

/** Charsets by the letters and digits of their names: names that iconv-lite lacks, and names that stand for a superset. */
const aliases: ReadonlyMap<string, string> = new Map([
  ...["ascii", "usascii", "ansix341968", "iso88591", "88591", "latin1", "l1", "cp819", "cp1252"].map(
    (name) => [name, "windows1252"] as const
  ),
  ...["iso88599", "latin5"].map((name) => [name, "windows1254"] as const),
  ...["tis620", "iso885911"].map((name) => [name, "windows874"] as const),
  ...["iso88598i", "iso88598e"].map((name) => [name, "iso88598"] as const),
  ...["gb2312", "gb231280", "csgb2312", "euccn", "gbk", "cp936", "ms936", "windows936"].map(
    (name) => [name, "gb18030"] as const
  ),
  ...["uhc", "windows949", "euckr", "ksc5601"].map((name) => [name, "cp949"] as const),
  ...["big5", "csbig5", "cp950", "windows950", "cnbig5"].map((name) => [name, "big5hkscs"] as const),
  ...["cp943", "sjis", "shiftjis", "mskanji"].map((name) => [name, "cp932"] as const),
  ...["iso2022jp", "csiso2022jp", "iso2022jp1", "iso2022jp2", "iso2022jp3", "iso2022jpms", "cp50220", "cp50221"].map(
    (name) => [name, "iso2022jp"] as const
  ),
  ...["iso2022kr", "csiso2022kr"].map((name) => [name, "iso2022kr"] as const),
  ...["hz", "hzgb2312"].map((name) => [name, "hz"] as const),
  ["ibm00858", "cp858"],
  ["unicode", "utf16"],
  ["unicode20utf8", "utf8"],
  ["utf8mb4", "utf8"]
])

/** Encodings of iconv-lite that are no charsets, and names that state no charset. */
const noCharsets: ReadonlySet<string> = new Set(["", "base64", "hex", "binary", "internal", "default"])

/** The canonical name of a charset label; null if the label is unknown. */
const charsetOf = (label: string): string | null => {
  const name = label
    .toLowerCase()
    .slice(0, 40)
    .replace(/[^a-z0-9]/g, "")
  // `x-big5`, `x-cp1252`
  for (const one of [name, name.replace(/^x/, "")]) {
    const known = aliases.get(one) ?? (!noCharsets.has(one) && iconv.encodingExists(one) ? one : undefined)
    if (known !== undefined) return known
  }
  return null
}

/** Whether two labels name the same charset. */
export const isSameCharset = (one: string, other: string): boolean =>
  one.toLowerCase() === other.toLowerCase() || (charsetOf(one) ?? one) === charsetOf(other)

/** How the octets after a shift sequence become EUC: with the high bit, and a prefix before each character. */
interface Shift {
  readonly prefix: number
  readonly octets: 1 | 2
}

const doubleOctets: Shift = { prefix: 0, octets: 2 }

/** A 7-bit charset with shift sequences. A line end returns to ASCII. */
interface ShiftedCharset {
  readonly sequences: RegExp
  readonly shifts: ReadonlyMap<string, Shift>
  /** The 8-bit charset with the same characters. */
  readonly charset: string
}

const shiftedCharsets: ReadonlyMap<string, ShiftedCharset> = new Map([
  [
    "iso2022jp",
    {
      sequences: /\x1b(?:\$\(?[@B]|\$\(D|\([BIJ])|\n/g,
      shifts: new Map<string, Shift>([
        ...["\x1b$@", "\x1b$B", "\x1b$(@", "\x1b$(B"].map((sequence) => [sequence, doubleOctets] as const),
        ["\x1b$(D", { prefix: 0x8f, octets: 2 }],
        ["\x1b(I", { prefix: 0x8e, octets: 1 }]
      ]),
      charset: "eucjp"
    }
  ],
  ["iso2022kr", { sequences: /\x1b\$\)C|[\x0E\x0F\n]/g, shifts: new Map([["\x0e", doubleOctets]]), charset: "cp949" }],
  ["hz", { sequences: /~[~{}\n]|\n/g, shifts: new Map([["~{", doubleOctets]]), charset: "gb18030" }]
])

const unshift = (octets: Buffer, { charset, sequences, shifts }: ShiftedCharset): string => {
  const euc = Buffer.allocUnsafeSlow(octets.length * 2)
  let length = 0
  let at = 0
  let shift: Shift | undefined
  const convert = (end: number) => {
    for (const start = at; at < end; at++) {
      const octet = octets[at] ?? 0
      const isShifted = shift !== undefined && octet > 0x20 && octet < 0x7f
      if (shift !== undefined && isShifted && shift.prefix > 0 && (at - start) % shift.octets === 0) {
        euc[length++] = shift.prefix
      }
      euc[length++] = isShifted ? octet | 0x80 : octet
    }
  }
  for (const { 0: sequence, index } of octets.toString("latin1").matchAll(sequences)) {
    convert(index)
    at = index + sequence.length
    shift = shifts.get(sequence)
    if (sequence === "\n" || sequence === "~~") euc[length++] = sequence.charCodeAt(0)
  }
  convert(octets.length)
  return iconv.decode(euc.subarray(0, length), charset)
}

/** Charsets that TextDecoder decodes with a replacement character for each invalid sequence. */
const utfNames: ReadonlyMap<string, string> = new Map([
  ["utf8", "utf-8"],
  ["utf16le", "utf-16le"],
  ["ucs2", "utf-16le"],
  ["utf16be", "utf-16be"]
])

/** iconv-lite takes seconds for more UTF-7. */
const maxUtf7Octets = 1_000_000

const decodeCharset = (octets: Buffer, charset: string): string => {
  const shifted = shiftedCharsets.get(charset)
  if (shifted !== undefined) return unshift(octets, shifted)
  // The characters of U+0080 to U+009F are converted by `bodyText` and `headerText`.
  if (charset === "windows1252") return octets.toString("latin1")
  const utf = utfNames.get(charset)
  if (utf !== undefined) return new TextDecoder(utf).decode(octets)
  return iconv.decode(charset === "utf7" ? octets.subarray(0, maxUtf7Octets) : octets, charset)
}

/** The charset of a byte order mark. */
const markedCharset = (octets: Buffer): string | null => {
  if (octets[0] === 0xef && octets[1] === 0xbb && octets[2] === 0xbf) return "utf8"
  if (octets[0] === 0xff && octets[1] === 0xfe) return "utf16le"
  return octets[0] === 0xfe && octets[1] === 0xff ? "utf16be" : null
}

/** The charset of a text of 7-bit octets. Escape sequences state it more reliably than a label. */
const asciiCharset = (octets: Buffer, declared: string | null): string => {
  if (octets.includes(0x1b)) {
    const text = octets.toString("latin1")
    if (/\x1b(?:\$\(?[@B]|\$\(D|\([IJ])/.test(text)) return "iso2022jp"
    if (/\x1b\$\)C/.test(text)) return "iso2022kr"
  }
  // UTF-16 and UTF-32 of Latin letters have NUL octets.
  const isMislabelled = declared !== null && /^(?:utf|ucs)-?(?:16|32|2)/.test(declared) && !octets.includes(0)
  return declared === null || isMislabelled ? "windows1252" : declared
}

const multiOctet = /^(?:gb|big5|cp9|euc|utf16|utf32|ucs|shift)/

/** Whether text of this label is UTF-8. Short text of two octets for each character can be valid UTF-8 by chance. */
const isMislabelledUtf8 = (octets: Buffer, declared: string | null): boolean =>
  isUtf8(octets) &&
  (declared === null ||
    !multiOctet.test(declared) ||
    (octets.toString("latin1").match(/[\xE0-\xEF][\x80-\xBF]{2}/g) ?? []).length > 3)

/** Charsets that octets without a label are not in: Unicode would have been detected, and the others have 7 bits. */
const notFallbacks = /^(?:utf|ucs|iso2022|hz)/

/**
 * The charset of a text. A byte order mark, escape sequences and valid UTF-8 take precedence over the label. Text of an
 * unknown label that is not UTF-8 has the fallback charset, or Windows-1252.
 */
const charsetOfText = (octets: Buffer, label: string, fallback: string): string => {
  const declared = charsetOf(label)
  const marked = markedCharset(octets)
  if (marked !== null) return marked
  if (isAscii(octets)) return asciiCharset(octets, declared)
  if (isMislabelledUtf8(octets, declared)) return "utf8"
  const assumed = charsetOf(fallback) ?? ""
  return declared ?? (assumed === "" || notFallbacks.test(assumed) ? "windows1252" : assumed)
}

/** Decodes text of a label, or else of the fallback charset. */
export const decodeText = (octets: Buffer, label: string, fallback = ""): string =>
  decodeCharset(octets, charsetOfText(octets, label, fallback))

/** A text that is encoded again after a change. */
export interface EncodableText {
  readonly text: string
  /** Encodes a text with the characters of this one and of ASCII. */
  readonly encode: (text: string) => Buffer
  /** Whether `encode` makes UTF-8 of another charset. */
  readonly isConverted: boolean
}

/**
 * Decodes text to change it. It is encoded in its own charset if that reproduces all octets, else in UTF-8. Null if it
 * has octets that are no characters of its charset, and for UTF-7.
 */
export const encodableText = (octets: Buffer, label: string): EncodableText | null => {
  const charset = charsetOfText(octets, label, "")
  if (charset.startsWith("utf7")) return null
  const encode = (text: string) => iconv.encode(text, charset, { addBOM: false })
  const isShifted = shiftedCharsets.has(charset)
  const text = isShifted ? decodeCharset(octets, charset) : iconv.decode(octets, charset, { stripBOM: false })
  if (!isShifted && encode(text).equals(octets)) return { text, encode, isConverted: false }
  return text.includes("\ufffd") ? null : { text, encode: (changed) => Buffer.from(changed), isConverted: true }
}

/** The charset of an HTML document's `meta` element, within the first 4 KiB. */
export const metaCharset = (html: Buffer): string => {
  const begin = html.subarray(0, 4096).toString("latin1")
  const charset = /<meta\s[^>]{0,500}?charset\s*=\s*["']?\s*([\w.:-]{1,40})/i.exec(begin)?.[1] ?? ""
  return /^utf-?(?:16|32)/i.test(charset) ? "utf-8" : charset
}
