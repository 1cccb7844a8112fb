import { Option } from "effect"
import { automaticPrefixes, forwardPrefixes, replyPrefixes } from "./SubjectPrefixes.js"

const anyOf = (words: ReadonlyArray<string>): string =>
  words.toSorted((left, right) => right.length - left.length).join("|")

/** A counter: `Re[2]`, `Re(2)`, `Re^2`, `Re 2`. */
const counter = "(?:\\s?\\[\\d{1,4}\\]|\\s?\\(\\d{1,4}\\)|[*^]\\d{1,4}|\\s\\d{1,4})?"

/** The colon may be a fullwidth one. */
const prefix = new RegExp(
  `^(?:${anyOf([...replyPrefixes, ...forwardPrefixes, ...automaticPrefixes])})${counter}\\s{0,3}[:：]\\s*`
)

/** Some responders omit the original subject after the prefix. */
const automatic = new RegExp(`^(?:${anyOf(automaticPrefixes)})\\s{0,3}(?:[:：]|$)`)

const external = "(?:ext|extern|external|externe|externo|esterno)\\b"
const certainty =
  "(?:suspected|suspicious|possible|possibly|probable|probably|likely|potential|definitely|high scoring)"
const spam = `(?:${certainty}[ _-])?(?:spam|phishing)(?:[ _:?!#.,=/\\d-]|mail|message|detected|verdacht|score|warning){0,20}`
const stroke = "[*_#=~!+-]{1,10}"

/**
 * Marks that spam filters and gateways add to mail on its way: `***SPAM***`, `[SUSPECTED SPAM]`, `{Spam?}`,
 * `[EXTERNAL]`. Some mails of a thread have them.
 */
const mark = new RegExp(
  `^(?:(?:[[{(<] ?(?:${stroke})? ?${spam}(?:${stroke})? ?[\\]})>]|${stroke} ?(?:${spam}|${external}[a-z -]{0,20}) ?${stroke}|[[{<]${external}[^\\]}>]{0,30}[\\]}>])\\s*(?:[:-]\\s*)?)+`
)

/** A tag of a list, a ticket system or a gateway. */
const tag = /^(?:\[[^[\]]{1,60}\]|\{[^{}]{1,40}\}|【[^【】]{1,40}】|(?:spam|external)\s?[:：])\s*/

/** The forward marks of Pine and of old Netscape. */
const suffix = /\s*\(fwd\)$/
const wrapped = /^\[(?:fwd|fw):\s*(.*)\]$/

/** The maximum number of compared characters of a subject. */
const maxSubjectLength = 1_000

const folded = (subject: string): string =>
  subject.slice(0, maxSubjectLength).normalize("NFC").toLowerCase().replaceAll(/\s+/g, " ").trim()

/** A subject as far as it identifies a thread. */
export interface ThreadSubject {
  /** Whether the subject has a reply or forward prefix. */
  readonly isReply: boolean
  /** The subject without prefixes, the tags before them, and the marks of filters. */
  readonly base: string
  /** The base subjects that the answered mail may have: that of a reply with and without its tags. */
  readonly forms: ReadonlyArray<string>
}

/** Parses a subject. The tags of a subject without a prefix are a part of it: they distinguish threads. */
export const threadSubject = (subject: string): ThreadSubject => {
  let text = folded(subject)
  let isReply = false
  const before: Array<string> = []
  let tags: Array<string> = []
  for (let previous: string | null = null; text !== previous; ) {
    previous = text
    text = text.replace(mark, "")
    const bare = text.replace(prefix, "").replace(wrapped, "$1").replace(suffix, "").trim()
    const [found = ""] = bare === text ? (tag.exec(text) ?? []) : []
    if (bare !== text) {
      isReply = true
      before.push(...tags)
      tags = []
    } else if (found !== "") tags.push(found.trim())
    text = bare.slice(found.length)
  }
  const joined = (some: ReadonlyArray<string>) => [...some, text].join(" ").trim()
  const all = [...before, ...tags]
  return {
    isReply,
    base: joined(tags),
    forms: isReply ? [...all.map((_, at) => joined(all.slice(at))), text].filter((form) => form !== "") : [joined(tags)]
  }
}

/**
 * How well the subject of a mail, which can be a reply itself, is that of a reply's parent: 0 for the most tags in common;
 * none if it is another subject.
 */
export const parentRank = (reply: ThreadSubject, parent: ThreadSubject): Option.Option<number> => {
  const rank = reply.forms.indexOf(parent.base)
  if (rank >= 0) return Option.some(rank)
  return parent.forms.includes(reply.base) ? Option.some(reply.forms.length) : Option.none()
}

/** Whether a subject has a reply or forward prefix. */
export const isReplySubject = (subject: string): boolean => threadSubject(subject).isReply

/** Whether a subject begins with the prefix of an automatic reply. A reply to an automatic reply does not. */
export const isAutomaticSubject = (subject: string): boolean => automatic.test(folded(subject).replace(mark, ""))
