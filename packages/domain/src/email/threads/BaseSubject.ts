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

/** `outsideTag` is added by gateways to mail from outside; `tag` can stand before a reply prefix. */
const outsideTag = /^\[(?:ext|extern|external|externe|externo|esterno)\b[^\]]{0,30}\]\s*/
const tag = /^\[[^[\]]{1,60}\]\s*/

/** The forward marks of Pine and of old Netscape. */
const suffix = /\s*\(fwd\)$/
const wrapped = /^\[(?:fwd|fw):\s*(.*)\]$/

/** The maximum number of compared characters of a subject. */
const maxSubjectLength = 1_000

const stripOnce = (text: string): string => {
  const bare = text.replace(outsideTag, "").replace(prefix, "").replace(wrapped, "$1").replace(suffix, "").trim()
  if (bare !== text) return bare
  const behind = text.replace(tag, "")
  return prefix.test(behind) ? behind : text
}

const strip = (text: string): string => {
  const shorter = stripOnce(text)
  return shorter === text ? text : strip(shorter)
}

const folded = (subject: string): string =>
  subject.slice(0, maxSubjectLength).normalize("NFC").toLowerCase().replaceAll(/\s+/g, " ").trim()

/** A subject without its reply and forward prefixes: equal for all mails of a thread. */
export const baseSubject = (subject: string): string => strip(folded(subject))

/** Whether a subject has a reply or forward prefix. */
export const isReplySubject = (subject: string): boolean => {
  const text = folded(subject).replace(outsideTag, "")
  return prefix.test(text) || wrapped.test(text) || suffix.test(text) || prefix.test(text.replace(tag, ""))
}

/** Whether a subject begins with the prefix of an automatic reply. A reply to an automatic reply does not. */
export const isAutomaticSubject = (subject: string): boolean => automatic.test(folded(subject).replace(outsideTag, ""))
