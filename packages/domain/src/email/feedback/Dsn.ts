import { Option } from "effect"
import { typedAddresses } from "./Addresses.js"
import { type DeliveryAction, type DeliveryReport, type ReportedRecipient, reported } from "./DeliveryReport.js"
import { fieldOf, type ReportFields, readFieldGroups } from "./ReportFields.js"
import { partOf, partText, type ReportPart } from "./ReportPart.js"
import { codesIn } from "./SmtpCodes.js"

/** RFC 3464, and RFC 6533 for addresses beyond ASCII. */
const types = ["message/delivery-status", "message/global-delivery-status"]

const actions: ReadonlyArray<DeliveryAction> = ["failed", "delayed", "delivered", "relayed", "expanded"]

/** What a field says first, without comments. */
const word = (value: string): string => /^[a-z-]*/.exec(value.toLowerCase())?.[0] ?? ""

const recipientOf = (fields: ReportFields): ReadonlyArray<ReportedRecipient> => {
  const status = codesIn(fieldOf(fields, "status")).enhancedCode
  const named = word(fieldOf(fields, "action"))
  // Whoever leaves out what happened has still said that nothing will come of it.
  const action =
    actions.find((one) => one === named) ?? (named === "" && status?.startsWith("5") ? "failed" : undefined)
  if (action === undefined) return []
  const addresses = ["original-recipient", "final-recipient"].flatMap((name) => typedAddresses(fieldOf(fields, name)))
  const diagnostic = fieldOf(fields, "diagnostic-code")
  // The type says whose words these are: those of SMTP have its codes.
  const typed = /^([a-z0-9-]+)[ \t]*;/i.exec(diagnostic)
  const said = diagnostic.slice(typed?.[0].length ?? 0)
  return [reported([...new Set(addresses)], action, said, { inWords: codesIn(said), status })]
}

/** What a delivery status notification (RFC 3464) says of each recipient; none if the mail is none. */
export const readDsn = (parts: ReadonlyArray<ReportPart>): Option.Option<DeliveryReport> =>
  Option.map(Option.fromNullable(partOf(parts, types)), (part) =>
    // The first group is about the message. Whoever forgot the line between them is understood too.
    readFieldGroups(partText(part)).flatMap(recipientOf)
  )
