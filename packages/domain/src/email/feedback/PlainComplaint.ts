import { Option } from "effect"
import { typedAddresses } from "./Addresses.js"
import type { FeedbackReport } from "./Arf.js"
import { enclosedHeader } from "./EnclosedHeader.js"
import type { ReportFields } from "./ReportFields.js"
import type { ReportPart } from "./ReportPart.js"

/** A mail that may be a complaint without a feedback report part. */
export interface PlainComplaintMail {
  /** The reverse-path, the address of the `From` header, and the recipients of the envelope. */
  readonly addresses: ReadonlyArray<string>
  readonly headers: ReportFields
  readonly subject: string
  readonly parts: ReadonlyArray<ReportPart>
}

/** Names of mailboxes that send or take complaints (RFC 2142 section 4, and feedback loops). */
const roles = /^<?(?:abuse|complaints?|fbl|jmrp)[+@]/i
const subjects = /^complaint about message\b/i

/** Outlook's feedback loop (JMRP) names the recipient here, in its own header or in that of the enclosed mail. */
const recipientField = "x-hmxmroriginalrecipient"

/**
 * Reads a complaint that encloses the mail and has no feedback report part. A person forwards mail in the same form:
 * the mail must also name the recipient as Outlook does, have the subject of a complaint, or come from or to a mailbox
 * for complaints.
 */
export const readPlainComplaint = ({
  addresses,
  headers,
  parts,
  subject
}: PlainComplaintMail): Option.Option<FeedbackReport> => {
  const original = enclosedHeader(parts)
  const named = [...headers, ...original].filter(({ name }) => name === recipientField)
  const isComplaint = named.length > 0 || subjects.test(subject) || addresses.some((address) => roles.test(address))
  return original.length > 0 && isComplaint
    ? Option.some({
        feedbackType: "abuse",
        kind: "complaint",
        recipients: [...new Set(named.flatMap(({ value }) => typedAddresses(value)))],
        original
      })
    : Option.none()
}
