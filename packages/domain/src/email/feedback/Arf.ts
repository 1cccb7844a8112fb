import { Option } from "effect"
import { typedAddresses } from "./Addresses.js"
import { fieldOf, type ReportFields, readFieldGroups } from "./ReportFields.js"
import { partOf, partText, type ReportPart } from "./ReportPart.js"

/** What somebody says of a mail that they got (RFC 5965). */
export interface FeedbackReport {
  readonly feedbackType: string
  /** Whether they don't want it: `not-spam` says the opposite, `auth-failure` (RFC 6591) something else. */
  readonly isComplaint: boolean
  /** Whom the mail was sent to, as far as they tell. */
  readonly recipients: ReadonlyArray<string>
  /** The header of the mail that it is about, as the report encloses it. */
  readonly original: ReportFields
}

const complaints = ["abuse", "fraud", "virus", "other"]
const originals = ["message/rfc822", "text/rfc822-headers", "message/rfc822-headers", "message/global"]

/** Everything before the first empty line. */
const headerOf = (text: string): ReportFields => readFieldGroups(text.split(/\r?\n[ \t]*\r?\n/, 1)[0] ?? "")[0] ?? []

/** What a feedback report says; none if the mail is none. */
export const readArf = (parts: ReadonlyArray<ReportPart>): Option.Option<FeedbackReport> =>
  Option.map(Option.fromNullable(partOf(parts, ["message/feedback-report"])), (part) => {
    const fields = readFieldGroups(partText(part)).flat()
    const feedbackType = fieldOf(fields, "feedback-type").toLowerCase()
    const original = partOf(parts, originals)
    return {
      feedbackType,
      isComplaint: complaints.includes(feedbackType),
      recipients: [
        ...new Set(fields.flatMap(({ name, value }) => (name === "original-rcpt-to" ? typedAddresses(value) : [])))
      ],
      original: original === undefined ? [] : headerOf(partText(original))
    }
  })
