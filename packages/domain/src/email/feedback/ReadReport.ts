import { classifyFailure, isAboutAddress } from "../../messages/delivery/FailureReason.js"
import { codesIn, isGeneric } from "../../messages/delivery/SmtpCodes.js"
import { isAutomaticSubject } from "../threads/BaseSubject.js"
import { recipientKey } from "./ApplyReport.js"
import { type DeliveryReport, type ReportedRecipient, readDsn, reported } from "./DeliveryReport.js"
import { addressesIn, partOf, type ReportFields, type ReportPart } from "./ReportFields.js"

/** A mail to a return path that is not a delivery status notification. */
export interface PlainMail {
  /** The reverse-path, empty for a notification. */
  readonly mailFrom: string
  /** The address of the `From` header. */
  readonly from: string
  readonly headers: ReportFields
  readonly subject: string
  readonly text: string
}

/** The maximum numbers of lines and of characters of a line: the failure is at the top of the mail. */
const maxLines = 400
const maxLineLength = 1_000

/** The maximum numbers of lines of an explanation, and of paragraphs that are read after an address. */
const maxExplanation = 8
const maxParagraphs = 10

const mailers =
  /^(?:mailer-daemon|postmaster|mail-?daemon|mailer|mailadmin|mail-?administrator|mdaemon|mail(?:er)?-?system|mmdf|daemon)(?:@|$)/i

/** Whether a mail system sent the mail: notifications have an empty reverse-path (RFC 5321 section 4.5.5). */
const isNotification = ({ from, mailFrom }: PlainMail): boolean => {
  const path = mailFrom.replace(/^<|>$/g, "").trim()
  return path === "" || mailers.test(path) || mailers.test(from)
}

/** Whether the mail is an automatic answer of a person (RFC 3834), which also goes to the return path. */
const isAutomaticAnswer = ({ from, headers, subject }: PlainMail, recipients: ReadonlyArray<string>): boolean =>
  !mailers.test(from) &&
  (recipients.some((recipient) => recipientKey(recipient) === recipientKey(from)) ||
    (isAutomaticSubject(subject) && headers.some(({ name }) => name === "auto-submitted")))

/** Phrases of a delay notification: the server still retries, so the mail is not a failure. */
const delays =
  /will (?:keep trying|retry|be retried|continue to (?:try|be|retry)|try again|be (?:re)?attempted)|attempts will continue|temporary problem delivering|warning message only|do not need to resend|has been delayed|delivery (?:is |has been )?delayed|not yet been delivered|not been delivered yet|no action is required on your part|still (?:trying|being (?:retried|attempted))/i
const delaySubject =
  /^(?:\S+ )?(?:delivery delay|delayed|delay notification|warning: (?:could not send|message|mail)|mail delivery delayed|message delayed|delivery delayed)|\(delay(?:ed)?\)$|delay notice$/i

/** Phrases of a failure notification, in the subject or the text. */
const failures =
  /undeliver|non[- ]?delivery|(?:not|never) (?:be |been |was )?(?:delivered|reach)|(?:wasn|couldn|can|isn)['’]t be(?:en)? delivered|wasn['’]t delivered|(?:delivery|mail|message|transmission|sending|send) (?:has |have |was |to .{1,60} )?(?:failed|failure|error|unsuccessful|impossible|aborted|refused|rejected)|fail(?:ed|ure) (?:to deliver|notice|delivery)|(?:deliver(?:y|ies)|mail|message|returned)\b.{0,40}\b(?:error|failed|failure|unsuccessful)|returned (?:mail|message|to)|mail (?:was |is )?returned|return(?:ing|ed) (?:your )?(?:mail|message)|(?:unable|not able|impossible|cannot|can['’]t|could not|couldn['’]t) (?:to )?(?:be )?(?:deliver|send|process|forward|transfer)|attempting to deliver|permanent (?:fatal )?error|did not reach|bounced|have failed|rejected (?:by|your|for)|unzustellbar|nicht zugestellt|non remis|n['’]a pas pu|no (?:se )?(?:ha podido|pudo)|não (?:foi|pôde)/i

/** The start of the enclosed mail, which is not part of the notification. */
const enclosed =
  /^[-\s=*_>#|]*(?:(?:Below this line is|Here is|Below is|This is|Following is|Enclosed is|Attached is)(?: a)? (?:copy|the (?:original|message|header|returned))|Begin(?:ning)? (?:of )?(?:message|original|returned)|(?:The )?(?:un(?:sent|delivered|deliverable)|original|returned|rejected|failed) (?:message|mail|e-?mail|header)s?(?: (?:header|text|follow|is|begin|to|body|content)| ?-{2,}| ?:| ?$)|(?:The )?headers? (?:of the|from|follow)|Message (?:header|text|contents?|headers)|(?:The )?(?:text of (?:your|the)|first .{0,20}(?:bytes|lines)|message text)|Enclosed (?:is|are)|Transcript of message follows|Message header follows|Returned (?:message|mail) follows|Ursprüngliche|Received: from |Return-Path: )/i

/** A header field that a notification quotes: its value is text of the returned mail. */
const quotedField = /^\s*(?:>\s|(?:subject|to|cc|from|sent|date|message-id|betreff|objet|asunto)\s*:)/i

/** The lines from one that names recipients of the message to the next such line. */
interface Block {
  readonly addresses: ReadonlyArray<string>
  readonly lines: Array<string>
}

const blocksOf = (
  lines: ReadonlyArray<string>,
  failed: ReadonlyArray<string>,
  isRecipient: (address: string) => boolean
): ReadonlyArray<Block> => {
  const blocks: Array<Block> = [{ addresses: failed, lines: [] }]
  for (const line of lines) {
    const addresses = addressesIn(line).filter(isRecipient)
    if (addresses.length > 0 && addresses.join() !== blocks.at(-1)?.addresses.join())
      blocks.push({ addresses, lines: [] })
    blocks.at(-1)?.lines.push(line)
  }
  return blocks
}

/** The lines from one up to the next empty line, as one text. */
const paragraphAt = (lines: ReadonlyArray<string>, from: number): string => {
  const end = lines.findIndex((line, index) => index > from && line.trim() === "")
  return lines.slice(from, Math.min(end === -1 ? lines.length : end, from + maxExplanation)).join(" ")
}

/** The failures with a code in a block. The text before a code names the remote server, not the failure. */
const codedFailures = ({ addresses, lines }: Block): ReadonlyArray<ReportedRecipient> =>
  lines.flatMap((line, index) => {
    const codes = codesIn(line)
    if (!/^[45]/.test(codes.enhancedCode ?? String(codes.smtpCode ?? ""))) return []
    const start = codes.smtpCode === null ? 0 : line.indexOf(String(codes.smtpCode))
    const before = lines.slice(0, index).findLastIndex((one) => one.trim() === "")
    const explanation = paragraphAt(lines, Math.max(before + 1, index - maxExplanation))
    const one = reported(addresses, "failed", line.slice(start), { inWords: codes, status: null })
    const reason = classifyFailure({ ...codes, text: explanation })
    return [{ ...one, reason: reason === "unknown" ? one.reason : reason }]
  })

/** Whether a line says more than an address. */
const hasWords = (line: string): boolean => /\p{Letter}/u.test(line.replace(/\S+@\S+/g, ""))

/** The failure in words of a block: its first paragraph with a known reason, else its first one with words. */
const wordedFailure = ({ addresses, lines }: Block): ReadonlyArray<ReportedRecipient> => {
  const own = lines.filter((line) => !quotedField.test(line))
  const starts = own.flatMap((line, index) =>
    hasWords(line) && (index === 0 || !hasWords(own[index - 1] ?? "")) ? [index] : []
  )
  const paragraphs = starts
    .slice(0, maxParagraphs)
    .map((start) => reported(addresses, "failed", paragraphAt(own, start), { inWords: codesIn(""), status: null }))
  return paragraphs
    .filter(({ reason }) => reason !== "unknown")
    .concat(paragraphs)
    .slice(0, 1)
}

/** The clearest of several failures of a recipient: with a known reason, then with a specific code. */
const clarity = ({ enhancedCode, reason, smtpCode }: ReportedRecipient): number =>
  (reason === "unknown" ? 0 : 4) + (isGeneric(enhancedCode) ? 0 : 2) + (smtpCode === null ? 0 : 1)

/** Whether codes or their words say what failed, also without a phrase of a notification. */
const isClear = ({ enhancedCode, reason, smtpCode }: ReportedRecipient): boolean =>
  smtpCode !== null && (!isGeneric(enhancedCode) || isAboutAddress(reason))

/** One failure for each address. */
const clearest = (all: ReadonlyArray<ReportedRecipient>): ReadonlyArray<ReportedRecipient> => {
  const best = new Map<string, ReportedRecipient>()
  for (const failure of all) {
    for (const address of failure.addresses) {
      const known = best.get(recipientKey(address))
      if (known === undefined || clarity(failure) > clarity(known)) {
        best.set(recipientKey(address), { ...failure, addresses: [address] })
      }
    }
  }
  return [...best.values()]
}

/**
 * Reads a bounce in words, as qmail, Exchange, Gmail, Yahoo, Exim and sendmail send it. A failure belongs to the last of
 * the message's recipients that the text names before it. Empty unless a mail system sent the mail and it reports a
 * failure. `recipients` are those of the message; every address counts as one if none is given.
 */
export const readPlainBounce = (mail: PlainMail, recipients: ReadonlyArray<string>): DeliveryReport => {
  if (!isNotification(mail) || isAutomaticAnswer(mail, recipients)) return []
  const keys = new Set(recipients.map(recipientKey))
  const isRecipient = (address: string) => keys.size === 0 || keys.has(recipientKey(address))
  const all = mail.text.split(/\r\n|\r|\n/).slice(0, maxLines)
  const end = all.findIndex((line) => enclosed.test(line))
  const lines = all.slice(0, end === -1 ? all.length : end).map((line) => line.slice(0, maxLineLength))
  const subject = mail.subject.slice(0, maxLineLength)
  const own = lines.filter((line) => !quotedField.test(line))
  if (delaySubject.test(subject) || own.some((line) => delays.test(line))) return []
  const failed = mail.headers
    .filter(({ name }) => name === "x-failed-recipients")
    .flatMap(({ value }) => addressesIn(value).filter(isRecipient))
  const blocks = blocksOf(lines, failed.length > 0 || recipients.length > 1 ? failed : recipients, isRecipient)
  const coded = blocks.flatMap(codedFailures)
  const saysSo = failed.length > 0 || [subject, ...own].some((line) => failures.test(line))
  if (!saysSo && !coded.some(isClear)) return []
  const named = blocks.filter(({ addresses }) => addresses.length > 0)
  return clearest([...coded, ...named.flatMap(wordedFailure)])
}

/** A mail to a return path. */
export interface ReportMail extends PlainMail {
  readonly parts: ReadonlyArray<ReportPart>
}

/** Adds the reason, codes and reply in the text to a failure of a report part that has none. */
const completed = (failure: ReportedRecipient, inText: DeliveryReport, isOnly: boolean): ReportedRecipient => {
  if (failure.action !== "failed" || failure.reason !== "unknown") return failure
  const keys = new Set(failure.addresses.map(recipientKey))
  const clear = inText.filter(({ reason }) => reason !== "unknown")
  const named =
    clear.find(({ addresses }) => addresses.some((address) => keys.has(recipientKey(address)))) ??
    (isOnly ? clear[0] : undefined)
  return named === undefined ? failure : { ...named, addresses: failure.addresses }
}

/**
 * The report in a mail on the recipients of a message: delivery status notifications (RFC 3464), with the text where
 * they say nothing, or a bounce in words. Empty if the mail is none. Without `recipients`, every address counts as one.
 */
export const readReport = (mail: ReportMail, recipients: ReadonlyArray<string>): DeliveryReport => {
  // A read receipt (RFC 8098) reports on no delivery.
  if (partOf(mail.parts, ["message/disposition-notification"]) !== undefined) return []
  const inParts = readDsn(mail.parts)
  if (inParts.length > 0 && inParts.every(({ action, reason }) => action !== "failed" || reason !== "unknown")) {
    return inParts
  }
  const inText = readPlainBounce(mail, recipients)
  return inParts.length === 0 ? inText : inParts.map((failure) => completed(failure, inText, inParts.length === 1))
}
