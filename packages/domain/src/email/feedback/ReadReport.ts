import type { DeliveryReport, ReportedRecipient } from "./DeliveryReport.js"
import { readDsn } from "./Dsn.js"
import { recipientKey } from "./FindRecipient.js"
import { type PlainMail, readPlainBounce } from "./PlainBounce.js"
import { partOf, type ReportPart } from "./ReportPart.js"

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
