import { Option } from "effect"
import { typedAddresses } from "./Addresses.js"
import { type DeliveryAction, type DeliveryReport, type ReportedRecipient, reported } from "./DeliveryReport.js"
import { fieldOf, type ReportFields, readFieldGroups } from "./ReportFields.js"
import { partOf, partText, type ReportPart } from "./ReportPart.js"
import { codesIn } from "./SmtpCodes.js"

/** RFC 3464, and RFC 6533 for addresses beyond ASCII. */
const types = ["message/delivery-status", "message/global-delivery-status"]

const actions: ReadonlyArray<DeliveryAction> = ["failed", "delayed", "delivered", "relayed", "expanded"]

/** The first keyword of a field, without comments. */
const keyword = (value: string): string => /^[a-z-]*/.exec(value.toLowerCase())?.[0] ?? ""

const recipientOf = (fields: ReportFields): ReadonlyArray<ReportedRecipient> => {
  const status = codesIn(fieldOf(fields, "status")).enhancedCode
  const named = keyword(fieldOf(fields, "action"))
  // Without an action, a status of class 5 means `failed`.
  const action =
    actions.find((one) => one === named) ?? (named === "" && status?.startsWith("5") ? "failed" : undefined)
  if (action === undefined) return []
  const addresses = ["original-recipient", "final-recipient"].flatMap((name) => typedAddresses(fieldOf(fields, name)))
  const diagnostic = fieldOf(fields, "diagnostic-code")
  // The type is the source of the text; the text of SMTP has SMTP codes.
  const typed = /^([a-z0-9-]+)[ \t]*;/i.exec(diagnostic)
  const text = diagnostic.slice(typed?.[0].length ?? 0)
  return [reported([...new Set(addresses)], action, text, { inWords: codesIn(text), status })]
}

/** Reads a delivery status notification (RFC 3464); none if the mail is not one. */
export const readDsn = (parts: ReadonlyArray<ReportPart>): Option.Option<DeliveryReport> =>
  Option.map(Option.fromNullable(partOf(parts, types)), (part) =>
    // The first group is about the message. Recipients' fields are read there too, if the empty line is missing.
    readFieldGroups(partText(part)).flatMap(recipientOf)
  )
