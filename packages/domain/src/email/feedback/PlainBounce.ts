import { Option } from "effect"
import { addressesIn } from "./Addresses.js"
import { type DeliveryReport, type ReportedRecipient, reported } from "./DeliveryReport.js"
import { codesIn, isGeneric } from "./SmtpCodes.js"

/** A mail to a return path that is not a delivery status notification. */
export interface PlainMail {
  /** The reverse-path, empty for a notification. */
  readonly mailFrom: string
  /** The address of the `From` header. */
  readonly from: string
  readonly headers: ReadonlyArray<{ readonly name: string; readonly value: string }>
  readonly subject: string
  readonly text: string
}

/** The maximum numbers of lines and of characters of a line: the failure is at the top of the mail. */
const maxLines = 400
const maxLineLength = 1_000

const mailers = /^(?:mailer-daemon|postmaster|mail-daemon|maildaemon)(?:@|$)/i

/** Whether a mail system sent the mail: notifications have an empty reverse-path (RFC 5321 section 4.5.5). */
const isNotification = ({ from, mailFrom }: PlainMail): boolean => {
  const path = mailFrom.replace(/^<|>$/g, "").trim()
  return path === "" || mailers.test(path) || mailers.test(from)
}

/** Phrases of a delay notification: the server still retries, so the mail is not a failure. */
const delays =
  /will (?:keep trying|retry|be retried|continue to try)|temporary problem delivering|warning message only|do not need to resend|has been delayed|delivery (?:is |has been )?delayed|not yet been delivered|delay notification|\(delay\)/i

/** Phrases of a failure notification, in the subject or the text. */
const failures =
  /undeliver|non[- ]?delivery|not (?:be )?delivered|wasn['’]t delivered|couldn['’]t be delivered|delivery (?:has )?failed|delivery (?:status notification )?\(?failure|failure notice|returned mail|returned to sender|unable to deliver|permanent (?:fatal )?error|mail delivery failed|delivery error|delivery to the following recipients? failed|not able to deliver/i

/** The start of the enclosed mail, which is not part of the notification. */
const enclosed =
  /^[-\s]*(?:Below this line is a copy of the message|This is a copy of (?:the|your) message|Original message|The header of the original message|Enclosed (?:is|are) (?:a copy of )?the original|Message header follows|Transcript of message follows|Received: from )/i

/** A line and the addresses it refers to: its own, else the previous ones, since a reply may span lines. */
interface NotificationLine {
  readonly text: string
  readonly addresses: ReadonlyArray<string>
}

const linesWithAddresses = (
  lines: ReadonlyArray<string>,
  failed: ReadonlyArray<string>
): ReadonlyArray<NotificationLine> => {
  let named = failed
  return lines.map((text) => {
    const found = addressesIn(text)
    const addresses = [...found, ...named]
    if (found.length > 0) named = found
    return { text, addresses }
  })
}

const failureOf = ({ addresses, text }: NotificationLine): ReadonlyArray<ReportedRecipient> => {
  const codes = codesIn(text)
  const isFailure = /^[45]/.test(codes.enhancedCode ?? String(codes.smtpCode ?? ""))
  if (!isFailure) return []
  // The text before the code names the remote server, not the failure.
  const start = codes.smtpCode === null ? 0 : text.indexOf(String(codes.smtpCode))
  return [reported(addresses, "failed", text.slice(start), { inWords: codes, status: null })]
}

/**
 * Reads a bounce in no standard form, as qmail, Exchange, Gmail, Yahoo, Exim and sendmail send it: the recipients are
 * the addresses next to a failure code. None unless a mail system sent it and reports a failure.
 */
export const readPlainBounce = (mail: PlainMail): Option.Option<DeliveryReport> => {
  if (!isNotification(mail)) return Option.none()
  const all = mail.text.split(/\r\n|\r|\n/).slice(0, maxLines)
  const end = all.findIndex((line) => enclosed.test(line))
  const lines = all.slice(0, end === -1 ? all.length : end).map((line) => line.slice(0, maxLineLength))
  const texts = [mail.subject.slice(0, maxLineLength), ...lines]
  if (texts.some((line) => delays.test(line)) || !texts.some((line) => failures.test(line))) return Option.none()
  const failed = mail.headers
    .filter(({ name }) => name === "x-failed-recipients")
    .flatMap(({ value }) => addressesIn(value))
  const found = linesWithAddresses(lines, failed).flatMap(failureOf)
  // The first entry of a recipient counts: lines with a specific code come first.
  const report = [...found.filter(({ enhancedCode }) => !isGeneric(enhancedCode)), ...found]
  return found.length === 0 ? Option.none() : Option.some(report.filter((one, index) => report.indexOf(one) === index))
}
