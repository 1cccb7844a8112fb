import { Option } from "effect"
import {
  enclosedHeader,
  fieldOf,
  partOf,
  partText,
  type ReportFields,
  type ReportPart,
  readFieldGroups,
  typedAddresses
} from "./ReportFields.js"

/** `optOut` is an unsubscription. `not-spam` and `auth-failure` (RFC 6591) are `other`. */
export type FeedbackKind = "complaint" | "optOut" | "other"

/** A feedback report of a recipient or of its mailbox provider. */
export interface FeedbackReport {
  readonly feedbackType: string
  readonly kind: FeedbackKind
  /** The recipients that the report names. */
  readonly recipients: ReadonlyArray<string>
  /** The header of the enclosed mail. */
  readonly original: ReportFields
}

const complaints = ["abuse", "fraud", "virus", "other"]
const optOuts = ["opt-out", "opt-out-list"]

const kindOf = (feedbackType: string): FeedbackKind =>
  complaints.includes(feedbackType) ? "complaint" : optOuts.includes(feedbackType) ? "optOut" : "other"

/** Reads a feedback report (RFC 5965); none if the mail is not one. */
export const readArf = (parts: ReadonlyArray<ReportPart>): Option.Option<FeedbackReport> =>
  Option.map(Option.fromNullable(partOf(parts, ["message/feedback-report"])), (part) => {
    const fields = readFieldGroups(partText(part)).flat()
    const feedbackType = fieldOf(fields, "feedback-type").toLowerCase()
    return {
      feedbackType,
      kind: kindOf(feedbackType),
      recipients: [
        ...new Set(fields.flatMap(({ name, value }) => (name === "original-rcpt-to" ? typedAddresses(value) : [])))
      ],
      original: enclosedHeader(parts)
    }
  })

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
