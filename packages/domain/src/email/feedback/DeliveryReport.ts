import { classifyFailure, type FailureReason } from "../../messages/delivery/FailureReason.js"
import { codesIn, isGeneric, type SmtpCodes } from "../../messages/delivery/SmtpCodes.js"
import {
  fieldOf,
  partsOf,
  partText,
  type ReportFields,
  type ReportPart,
  readFieldGroups,
  typedAddresses
} from "./ReportFields.js"

/** The action of a recipient's copy (RFC 3464 section 2.3.3). */
export type DeliveryAction = "failed" | "delayed" | "delivered" | "relayed" | "expanded"

/** The report on one recipient. */
export interface ReportedRecipient extends SmtpCodes {
  /** The possible addresses of the recipient, the likeliest first. A server may report the address it forwarded to. */
  readonly addresses: ReadonlyArray<string>
  readonly action: DeliveryAction
  /** The reply of the remote server, with the codes first; empty if not reported. */
  readonly response: string
  readonly reason: FailureReason
}

/** The reported recipients of one mail. */
export type DeliveryReport = ReadonlyArray<ReportedRecipient>

const maxResponseLength = 1_000

/** Truncates a text, but never between the halves of a surrogate pair. */
const cut = (text: string): string => text.slice(0, maxResponseLength).replace(/[\ud800-\udbff]$/, "")

/**
 * Builds the report on one recipient. Codes at the start of `text` take precedence over those in `codes`. The response
 * always starts with the known codes.
 */
export const reported = (
  addresses: ReadonlyArray<string>,
  action: DeliveryAction,
  text: string,
  codes: { readonly inWords: SmtpCodes; readonly status: string | null }
): ReportedRecipient => {
  const plain = text
    .replace(/\s+/g, " ")
    .replace(/^[\s#'"(]+/, "")
    .trimEnd()
  const { inWords, status } = codes
  const leading = /^\d{3}[ -][245]\.\d{1,3}\.\d{1,3}(?!\.?\d)/.test(plain)
  const enhancedCode = leading || isGeneric(status) ? (inWords.enhancedCode ?? status) : status
  const { smtpCode } = inWords
  const reason = classifyFailure({ smtpCode, enhancedCode, text: plain })
  if (leading) return { addresses, action, smtpCode, enhancedCode, response: cut(plain), reason }
  const known = [smtpCode ?? [], enhancedCode ?? []].flat().map(String)
  const rest = known.reduce(
    (text, code) => (text.startsWith(code) ? text.slice(code.length).replace(/^[\s:;#-]+/, "") : text),
    plain
  )
  return { addresses, action, smtpCode, enhancedCode, response: cut([...known, rest].join(" ").trim()), reason }
}

/** Whether a failure is permanent (class 5). Class 4 means that a server gave up after retries. */
export const isPermanent = ({ enhancedCode, smtpCode }: SmtpCodes): boolean =>
  !(enhancedCode ?? String(smtpCode ?? "5")).startsWith("4")

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
