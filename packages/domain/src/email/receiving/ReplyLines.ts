import {
  attributionEndings,
  attributionOpenings,
  attributionVerbs,
  footerEndings,
  footerNames,
  footerOpenings,
  forwardMarks,
  headerLabels,
  originalMarks,
  outlookOpenings,
  ownDeviceOpenings,
  type QuotedField,
  quotingOpenings
} from "./ReplyWords.js"

// The lines of a mail are compared in the form of `comparedLine`. Each rule takes time in proportion to the line.

const maxLineLength = 500

const invisible = /[\u200B-\u200F\u202A-\u202E\u2060\u2066-\u2069]/g

/** A line as it is compared: its beginning, in lower case, without spaces around it. Empty if the line is blank. */
export const comparedLine = (line: string): string => {
  const begin = line.length > maxLineLength ? line.slice(0, maxLineLength) : line
  return begin.replace(invisible, "").trim().normalize("NFC").replaceAll("’", "'").toLowerCase()
}

const anyOf = (words: ReadonlyArray<string>): string =>
  words
    .toSorted((left, right) => right.length - left.length)
    .map((word) => word.replaceAll(/[.()/]/g, "\\$&"))
    .join("|")

/** Before and after a word of an alphabet. Chinese, Japanese and Korean have no spaces around words. */
const alphabets = "[\\p{Script=Latin}\\p{Script=Cyrillic}\\p{Script=Greek}\\p{Script=Hebrew}\\p{Script=Arabic}]"
const wordStart = `(?<!${alphabets})`
const wordEnd = `(?!${alphabets})`

const fields: ReadonlyMap<string, QuotedField> = new Map(
  headerLabels.flatMap(({ date, from, subject, to }) => [
    ...from.map((label): [string, QuotedField] => [label, "from"]),
    ...date.map((label): [string, QuotedField] => [label, "date"]),
    ...to.map((label): [string, QuotedField] => [label, "to"]),
    ...subject.map((label): [string, QuotedField] => [label, "subject"])
  ])
)

const label = /^[*_]{0,3}([^:：*_]{1,24})[*_]{0,3}[:：]/

/** The field of a header line. Outlook's labels can be bold. */
export const headerField = (line: string): QuotedField | undefined => fields.get(label.exec(line)?.[1]?.trim() ?? "")

const originals: ReadonlySet<string> = new Set(originalMarks)
const forwards: ReadonlySet<string> = new Set(forwardMarks)
const decoration = /^[-–—_=*#]{2,}\s*|(?<![-–—_=*#])\s*[-–—_=*#]{2,}$/g
const separator = /^[-–—_=*─\s]{3,}$/

/** The text of a line between dashes; undefined if the line does not begin with dashes. */
const betweenDashes = (line: string): string | undefined => {
  const text = line.replaceAll(decoration, "")
  return text === line || !/^[-–—_=*#]{2}/.test(line) ? undefined : text.replace(/\s?[:：]$/, "")
}

/** A line of dashes, or a mark of a quoted mail between dashes. */
export const isSeparator = (line: string): boolean => separator.test(line) || originals.has(line)

export const isOriginalMark = (line: string): boolean => originals.has(betweenDashes(line) ?? "")

export const isForwardMark = (line: string): boolean =>
  forwards.has(betweenDashes(line) ?? "") || (/[:：]$/.test(line) && forwards.has(line.replace(/\s?[:：]$/, "")))

const opening = new RegExp(`^(?:${anyOf(attributionOpenings)})(?:\\s.*)?\\p{N}`, "u")
const quoting = new RegExp(`^(?:${anyOf(quotingOpenings)})\\s`, "u")
const dateFirst = /^\p{L}{0,12}[.,]{0,2}\s?\p{N}/u
const ending = new RegExp(`${wordStart}(?:${anyOf(attributionEndings)})$|[>)\\]]\\s?sent$`, "u")
const verb = new RegExp(`\\s(?:${anyOf(attributionVerbs)})\\s`, "u")
const address = /[^\s<>@]@[^\s<>@]/
const time = /\p{N}\s?[:.h時时點点시]\s?\p{N}{2}|\p{N}\s?(?:[ap]\.?m\b|uhr)/u
const year = /(?:19|20)\d\d/
const maxAttributionLength = 400
const maxEndingLength = 40
const maxAuthorWords = 5

export const hasAddress = (line: string): boolean => address.test(line)

export const hasTime = (line: string): boolean => time.test(line)

/** Whether a line can be the last one of an attribution. */
export const canEndAttribution = (line: string): boolean => /[:：>]$|wrote$|[-–—]{2}$/.test(line)

/** How an attribution can begin: with `On`, `Am`… and a date, or with the date. */
export const attributionBeginning = (line: string): "word" | "date" | undefined => {
  const bare = line.replace(/^[-–—*\s]+/, "")
  return opening.test(bare) || quoting.test(bare) ? "word" : dateFirst.test(bare) ? "date" : undefined
}

/** What follows a line: quoted lines, a blank line or the end, or other text. */
export type Following = "quote" | "blank" | "text"

/**
 * Whether a text is the line over a quoted mail, such as `On 2 January at 10:00, Ada wrote:`. A text without an address
 * must have a time and stand alone, unless quoted lines follow.
 */
export const isAttribution = (text: string, next: Following): boolean => {
  if (text.length > maxAttributionLength) return false
  const bare = text.replaceAll(decoration, "")
  const stem = bare.replace(/\s?[:：]$/, "")
  const isClosed = stem !== bare || /[-–—]{2}$/.test(text)
  const hasDate = hasTime(stem) || year.test(stem)
  const isQuote = next === "quote"
  if (!ending.test(stem.slice(-maxEndingLength)) && !(isClosed && verb.test(stem)))
    return (isClosed || (isQuote && hasDate)) && /[>)\]"]$/.test(stem) && hasAddress(stem) && (hasDate || isQuote)
  if (hasAddress(stem)) return isClosed ? /\p{N}/u.test(stem) || isQuote : hasTime(stem)
  if (isQuote) return isClosed && /\p{N}/u.test(stem)
  return isClosed && next === "blank" && hasTime(stem)
}

/** Whether a short line names the author of the quote: `Ada wrote:` before quoted lines, or `--- Ada wrote ---`. */
export const isAuthorLine = (line: string, next: Following): boolean => {
  const text = betweenDashes(line)
  const stem = text ?? line.replace(/\s?[:：]$/, "")
  if (stem === line || (text === undefined && next !== "quote")) return false
  return ending.test(stem.slice(-maxEndingLength)) && stem.split(/\s+/, maxAuthorWords + 1).length <= maxAuthorWords
}

const maxFooterLength = 100
const maxFooterWords = 9
const link = /\s?(?:<[^<>]*>|\[[^[\]]*\]|\(https?:[^()]*\))$/
const footerOpening = new RegExp(`^(?:${anyOf(footerOpenings)})`, "u")
const footerEnding = new RegExp(`(?:${anyOf(footerEndings)})[.。]?$`, "u")
const footerName = new RegExp(`${wordStart}(?:${anyOf(footerNames)})`, "u")
const ownDevice = new RegExp(`^(?:${anyOf(ownDeviceOpenings)})`, "u")
const outlook = new RegExp(
  `^(?:${anyOf(outlookOpenings)})${wordEnd}.{0,20}\\boutlook\\b.{0,12}\\b(?:ios|android|mac)\\b`,
  "u"
)

/**
 * Whether a telephone or a program has added the line: `Sent from my iPhone`. An unknown device must be `my` one, on a
 * line that stands alone and is no sentence.
 */
export const isFooter = (line: string, isAlone: boolean): boolean => {
  const text = line.replace(link, "")
  if (text.length > maxFooterLength) return false
  if (ownDevice.test(text)) return footerName.test(text) || (isAlone && !/[,.;:!?]/.test(text))
  if (text.split(/\s+/, maxFooterWords + 1).length > maxFooterWords || /[,;!?]/.test(text)) return false
  return outlook.test(text) || ((footerOpening.test(text) || footerEnding.test(text)) && footerName.test(text))
}
