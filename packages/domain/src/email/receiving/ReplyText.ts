import { forwardPrefixes } from "../threads/BaseSubject.js"
import {
  attributionBeginning,
  canEndAttribution,
  comparedLine,
  type Following,
  hasAddress,
  hasTime,
  headerField,
  isAttribution,
  isAuthorLine,
  isFooter,
  isForwardMark,
  isOriginalMark,
  isSeparator
} from "./ReplyLines.js"
import type { QuotedField } from "./ReplyWords.js"

/** The number of examined lines. Further lines stay as they are. */
const maxLines = 100_000

/** The maximum number of lines of an attribution, which programs wrap. */
const maxAttributionLines = 4

/** The maximum number of lines of the header over a quoted mail, and of one field, which can be wrapped. */
const maxHeaderLines = 30
const maxFieldLines = 8

/** The maximum number of blank lines between an attribution and the quote. */
const maxGap = 3

/** The maximum number of lines of a signature after `--`, without the space of RFC 3676 section 4.3. */
const maxSignatureLines = 20

/** Tags of lists and gateways can come before the prefix. */
const forwardSubject = new RegExp(`^(?:\\[[^\\]]{1,60}\\]\\s?){0,5}(?:${forwardPrefixes.join("|")})\\s?[:：]`, "u")

/** The lines of a mail, as they are and as they are compared. */
interface Lines {
  readonly raw: ReadonlyArray<string>
  readonly compared: ReadonlyArray<string>
}

const lineOf = ({ compared }: Lines, at: number): string => compared[at] ?? ""

const quote = /^\s{0,3}>/

/** The end of an attribution that is wrapped within the brackets of its address. */
const closingBracket = /^\s{0,3}>[^<>]{0,30}[:：]\s*$/
const openBracket = /<[^<>]*$/

const isQuoted = (lines: Lines, at: number): boolean => {
  const line = lines.raw[at] ?? ""
  return quote.test(line) && !(closingBracket.test(line) && openBracket.test(lineOf(lines, at - 1)))
}

/** A quoted line of this length can be wrapped: the rest of it has no quote mark. */
const minWrappedLength = 60

/** Whether a line is the wrapped rest of the quoted line before it: quoted lines around it, within a sentence. */
const isWrappedQuote = (lines: Lines, at: number): boolean => {
  const before = lineOf(lines, at - 1)
  const isWrapped = before.length >= minWrappedLength && /[^.!?:]$/.test(before) && /^\p{Ll}/u.test(lines.raw[at] ?? "")
  return isWrapped && isQuoted(lines, at - 1) && isQuoted(lines, at + 1)
}

/** What follows a line, after blank lines. */
const followingOf = (lines: Lines, at: number): Following => {
  let next = at + 1
  while (next - at <= maxGap && next < lines.raw.length && lineOf(lines, next) === "") next += 1
  if (isQuoted(lines, next)) return "quote"
  return next > at + 1 || next >= lines.raw.length ? "blank" : "text"
}

/** Whether the line before is blank, quoted, or does not exist. */
const beginsParagraph = (lines: Lines, at: number): boolean => lineOf(lines, at - 1) === "" || isQuoted(lines, at - 1)

/** Whether a line ends with a sentence. A shorter word with a dot can be a part of a date. */
const endsSentence = (line: string): boolean => /[!?]$|\p{L}{5}\.$/u.test(line)

/** Whether a text begins within the brackets of an address. */
const isWithinBrackets = (text: string): boolean => /^[^<]*>/.test(text)

/** The first line of the attribution that ends at a line; undefined if none ends there. */
const attributionStart = (lines: Lines, end: number): number | undefined => {
  if (!canEndAttribution(lineOf(lines, end))) return undefined
  const next = followingOf(lines, end)
  let text = ""
  let atDate: number | undefined
  let atAuthor: number | undefined
  for (let start = end; start > end - maxAttributionLines; start -= 1) {
    if (lineOf(lines, start) === "" || isQuoted(lines, start)) break
    if (start < end && endsSentence(lineOf(lines, start))) break
    text = `${lineOf(lines, start)} ${text}`.trim()
    if (!isAttribution(text, next)) continue
    const beginning = attributionBeginning(lineOf(lines, start))
    if (beginning === "word") return start
    if (beginning === "date") atDate ??= start
    if (hasAddress(text) && !isWithinBrackets(text)) atAuthor ??= start
  }
  if (atDate !== undefined) return atDate
  if (atAuthor !== undefined && (next === "quote" || beginsParagraph(lines, atAuthor))) return atAuthor
  return isAuthorLine(lineOf(lines, end), next) ? end : undefined
}

/** The line after the header of a quoted mail that begins at a line; undefined if none begins there. */
const headerEnd = (lines: Lines, start: number): number | undefined => {
  const found = new Set<QuotedField>()
  let end = start
  let isAddressed = false
  let isTimed = false
  for (let at = start; at < start + maxHeaderLines && at <= end + maxFieldLines && !isQuoted(lines, at); at += 1) {
    const line = lineOf(lines, at)
    const field = headerField(line)
    if (field === undefined && (at === start || (line === "" && headerField(lineOf(lines, at + 1)) === undefined)))
      break
    if (field === undefined) continue
    if (field === "from" && found.has(field)) break
    found.add(field)
    end = at + 1
    isAddressed ||= (field === "from" || field === "to") && hasAddress(`${line} ${lineOf(lines, at + 1)}`)
    isTimed ||= field === "date" && hasTime(line)
  }
  return (found.has("from") && found.has("subject") && found.size > 2) || (isAddressed && isTimed) ? end : undefined
}

/** Whether the signature begins at a line (RFC 3676 section 4.3), or the footer of a mailing list. */
const isSignature = (lines: Lines, at: number): boolean => {
  const line = lines.raw[at] ?? ""
  if (/^_{2,}$/.test(line)) return /mailing list$/.test(lineOf(lines, at + 1))
  if (!/^-- ?\r?$/.test(line)) return false
  if (line.startsWith("-- ")) return true
  // Many programs remove the space, and persons write dashes between paragraphs.
  let count = 0
  for (let next = at + 1; next < lines.raw.length; next += 1) {
    if (isQuoted(lines, next) || attributionStart(lines, next) !== undefined) return true
    if (lineOf(lines, next) !== "") count += 1
    if (count > maxSignatureLines || next > at + 2 * maxSignatureLines || lineOf(lines, next) === "--") return false
  }
  return true
}

/** The line after the mark or the header over a quoted mail; undefined if neither begins at a line. */
const quotedHeaderEnd = (lines: Lines, at: number): number | undefined =>
  isOriginalMark(lineOf(lines, at)) ? (headerEnd(lines, at + 1) ?? at + 1) : headerEnd(lines, at)

/** Whether a program has added the line. An unknown device is recognized only on a line that stands alone. */
const isProgramFooter = (lines: Lines, at: number): boolean =>
  isFooter(lineOf(lines, at), lineOf(lines, at - 1) === "" && followingOf(lines, at) !== "text")

/** The kept lines. Removed lines leave one blank line. */
const keptLines = (complete: string) => {
  const lines: Array<string> = []
  let isGap = false
  let isComplete = true
  const trimEnd = (isRemoved: (line: string) => boolean) => {
    while (lines.length > 0 && isRemoved(comparedLine(lines.at(-1) ?? ""))) lines.pop()
  }
  return {
    isEmpty: () => lines.length === 0,
    keep: (line: string) => {
      if (comparedLine(line) === "" && (isGap || lines.length === 0)) return
      if (isGap && lines.length > 0) lines.push("")
      isGap = false
      lines.push(line)
    },
    /** Removes the latest `count` lines, the blank lines before them, and the line of dashes over a quoted mail. */
    remove: (count: number, isMail: boolean) => {
      lines.length = Math.max(0, lines.length - count)
      trimEnd((line) => line === "" || (isMail && isSeparator(line)))
      isGap = true
      isComplete = false
    },
    text: () => {
      if (isComplete) return complete
      trimEnd((line) => line === "")
      return lines.join("\n").trimEnd()
    }
  }
}

interface OwnText {
  readonly text: string
  /** Whether a forwarded mail is a part of the text. */
  readonly isForward: boolean
}

/** Removes quotes and signature from a text. */
const ownText = (text: string): OwnText => {
  const raw = text.split("\n", maxLines)
  const lines: Lines = { raw, compared: raw.map(comparedLine) }
  const kept = keptLines(text)
  let hasQuote = false
  let isRemoving = false
  let at = 0
  for (; at < raw.length; at += 1) {
    const line = lineOf(lines, at)
    if (isQuoted(lines, at) || isWrappedQuote(lines, at)) {
      kept.remove(0, false)
      hasQuote = true
      isRemoving = false
      continue
    }
    if (isForwardMark(line)) {
      if (!hasQuote) return { text, isForward: true }
      isRemoving = false
      break
    }
    const begin = attributionStart(lines, at)
    const end = begin === undefined ? quotedHeaderEnd(lines, at) : at + 1
    if (end !== undefined) {
      kept.remove(isRemoving ? 0 : at - (begin ?? at), begin === undefined)
      // Without quote marks, the rest is the quoted mail.
      if (followingOf(lines, end - 1) !== "quote") return { text: kept.text(), isForward: false }
      at = end - 1
    } else if (isSignature(lines, at) || (!kept.isEmpty() && isProgramFooter(lines, at))) {
      kept.remove(0, false)
      isRemoving = true
    } else if (!isRemoving) kept.keep(raw[at] ?? "")
  }
  const examined = raw.slice(0, at).reduce((length, line) => length + line.length + 1, 0)
  if (!isRemoving && examined < text.length) kept.keep(text.slice(examined))
  return { text: kept.text(), isForward: false }
}

/**
 * What the author of a mail wrote: its text without quotes, the lines over them, and the signature. Answers between
 * quotes are kept. It is the complete text if a forwarded mail is a part of it, or if nothing else is left.
 *
 * `marked` is the text with further quotes marked by `>`, which only the HTML distinguishes.
 */
export const replyText = (subject: string, text: string, marked = text): string => {
  if (forwardSubject.test(comparedLine(subject))) return text
  const own = ownText(text)
  if (own.isForward) return text
  return (marked === text ? "" : ownText(marked).text) || own.text || text
}
