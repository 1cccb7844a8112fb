import { Option } from "effect"
import { addressesIn } from "./Addresses.js"
import { type DeliveryReport, type ReportedRecipient, reported } from "./DeliveryReport.js"
import { codesIn, isGeneric } from "./SmtpCodes.js"

/** A mail that came to a return path and is no delivery status notification. */
export interface PlainMail {
  /** The reverse-path, empty for a notification. */
  readonly mailFrom: string
  /** The address of the `From` header. */
  readonly from: string
  readonly headers: ReadonlyArray<{ readonly name: string; readonly value: string }>
  readonly subject: string
  readonly text: string
}

/** Lines, and characters of a line, that are looked at: what failed stands in front. */
const mostLines = 400
const longestLine = 1_000

const mailers = /^(?:mailer-daemon|postmaster|mail-daemon|maildaemon)(?:@|$)/i

/** Whoever wrote this does not write by hand: a notification has no reverse-path (RFC 5321 section 4.5.5). */
const isNotification = ({ from, mailFrom }: PlainMail): boolean => {
  const path = mailFrom.replace(/^<|>$/g, "").trim()
  return path === "" || mailers.test(path) || mailers.test(from)
}

/** Somebody still tries: news of a delay is no failure, whatever code it cites. */
const delays =
  /will (?:keep trying|retry|be retried|continue to try)|temporary problem delivering|warning message only|do not need to resend|has been delayed|delivery (?:is |has been )?delayed|not yet been delivered|delay notification|\(delay\)/i

/** How programs say, in the subject or in the text, that a mail was not delivered. */
const failures =
  /undeliver|non[- ]?delivery|not (?:be )?delivered|wasn['’]t delivered|couldn['’]t be delivered|delivery (?:has )?failed|delivery (?:status notification )?\(?failure|failure notice|returned mail|returned to sender|unable to deliver|permanent (?:fatal )?error|mail delivery failed|delivery error|delivery to the following recipients? failed|not able to deliver/i

/** Where the mail that failed begins: what it says is not about itself. */
const enclosed =
  /^[-\s]*(?:Below this line is a copy of the message|This is a copy of (?:the|your) message|Original message|The header of the original message|Enclosed (?:is|are) (?:a copy of )?the original|Message header follows|Transcript of message follows|Received: from )/i

/** A line, and who was named last before it or in it: one reply may take several lines. */
interface Said {
  readonly words: string
  readonly addresses: ReadonlyArray<string>
}

const sayings = (lines: ReadonlyArray<string>, failed: ReadonlyArray<string>): ReadonlyArray<Said> => {
  let named = failed
  return lines.map((words) => {
    const here = addressesIn(words)
    const addresses = [...here, ...named]
    if (here.length > 0) named = here
    return { words, addresses }
  })
}

const failureOf = ({ addresses, words }: Said): ReadonlyArray<ReportedRecipient> => {
  const codes = codesIn(words)
  const isFailure = /^[45]/.test(codes.enhancedCode ?? String(codes.smtpCode ?? ""))
  if (!isFailure) return []
  // What stands before the code tells who says it, not what is said.
  const start = codes.smtpCode === null ? 0 : words.indexOf(String(codes.smtpCode))
  return [reported(addresses, "failed", words.slice(start), { inWords: codes, status: null })]
}

/**
 * What a bounce says that is written in no standard form: whoever is named beside the code of a failure
 * (qmail, Exchange, Gmail, Yahoo, Exim, sendmail and their kin). None unless a mail system wrote it, and says that it
 * gave up.
 */
export const readPlainBounce = (mail: PlainMail): Option.Option<DeliveryReport> => {
  if (!isNotification(mail)) return Option.none()
  const all = mail.text.split(/\r\n|\r|\n/).slice(0, mostLines)
  const end = all.findIndex((line) => enclosed.test(line))
  const lines = all.slice(0, end === -1 ? all.length : end).map((line) => line.slice(0, longestLine))
  const told = [mail.subject.slice(0, longestLine), ...lines]
  if (told.some((line) => delays.test(line)) || !told.some((line) => failures.test(line))) return Option.none()
  const failed = mail.headers
    .filter(({ name }) => name === "x-failed-recipients")
    .flatMap(({ value }) => addressesIn(value))
  const found = sayings(lines, failed).flatMap(failureOf)
  // Who has more than one line is told by the one that says most.
  const report = [...found.filter(({ enhancedCode }) => !isGeneric(enhancedCode)), ...found]
  return found.length === 0 ? Option.none() : Option.some(report.filter((one, index) => report.indexOf(one) === index))
}
