import { classifyFailure, type FailureReason } from "../../messages/delivery/FailureReason.js"
import { isGeneric, type SmtpCodes } from "../../messages/delivery/SmtpCodes.js"

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
