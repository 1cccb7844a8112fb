import { Option } from "effect"
import { typedAddresses } from "./Addresses.js"
import { enclosedHeader } from "./EnclosedHeader.js"
import { fieldOf, type ReportFields, readFieldGroups } from "./ReportFields.js"
import { partOf, partText, type ReportPart } from "./ReportPart.js"

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
