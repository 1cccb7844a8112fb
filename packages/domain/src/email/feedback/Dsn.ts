import { codesIn } from "../../messages/delivery/SmtpCodes.js"
import { typedAddresses } from "./Addresses.js"
import { type DeliveryAction, type DeliveryReport, type ReportedRecipient, reported } from "./DeliveryReport.js"
import { fieldOf, type ReportFields, readFieldGroups } from "./ReportFields.js"
import { partsOf, partText, type ReportPart } from "./ReportPart.js"

/** RFC 3464, and RFC 6533 for addresses beyond ASCII. */
const types = ["message/delivery-status", "message/global-delivery-status"]

const actions: ReadonlyArray<DeliveryAction> = ["failed", "delayed", "delivered", "relayed", "expanded"]

/** The action of a recipient. Some servers write `failure`. Without an action, a status of class 5 means `failed`. */
const actionOf = (fields: ReportFields, status: string): DeliveryAction | undefined => {
  const keyword = /^[a-z-]*/.exec(fieldOf(fields, "action").toLowerCase())?.[0] ?? ""
  if (keyword === "") return /^5/.test(status) ? "failed" : undefined
  return keyword.startsWith("fail") ? "failed" : actions.find((one) => one === keyword)
}

const recipientOf = (fields: ReportFields): ReadonlyArray<ReportedRecipient> => {
  const status = fieldOf(fields, "status")
  const action = actionOf(fields, status)
  if (action === undefined) return []
  const addresses = ["original-recipient", "final-recipient"].flatMap((name) => typedAddresses(fieldOf(fields, name)))
  const diagnostic = fieldOf(fields, "diagnostic-code")
  // The type is the source of the text; the text of SMTP has SMTP codes.
  const typed = /^([a-z0-9-]+)[ \t]*;/i.exec(diagnostic)
  const { enhancedCode, smtpCode } = codesIn(status)
  // Some servers write an SMTP reply as the status.
  const text = diagnostic === "" && smtpCode !== null ? status : diagnostic.slice(typed?.[0].length ?? 0)
  return [reported([...new Set(addresses)], action, text, { inWords: codesIn(text), status: enhancedCode })]
}

/** The fields of one recipient. */
const recipientFields = ["original-recipient", "final-recipient", "action", "status"]

/**
 * The groups of recipients' fields. A group ends before a field that it has already, because some servers leave out the
 * empty line between recipients.
 */
const recipientGroups = (fields: ReportFields): ReadonlyArray<ReportFields> => {
  const groups: Array<Array<ReportFields[number]>> = [[]]
  let known = new Set<string>()
  for (const field of fields) {
    if (recipientFields.includes(field.name)) {
      if (known.has(field.name)) {
        groups.push([])
        known = new Set()
      }
      known.add(field.name)
    }
    groups.at(-1)?.push(field)
  }
  return groups
}

/** The recipients of the delivery status notifications (RFC 3464) in a mail. */
export const readDsn = (parts: ReadonlyArray<ReportPart>): DeliveryReport =>
  // The first group is about the message. Recipients' fields are read there too, if the empty line is missing.
  partsOf(parts, types).flatMap((part) => readFieldGroups(partText(part)).flatMap(recipientGroups).flatMap(recipientOf))
