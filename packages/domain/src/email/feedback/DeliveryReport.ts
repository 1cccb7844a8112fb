import { isGeneric, type SmtpCodes } from "./SmtpCodes.js"

/** What happened to a recipient's copy (RFC 3464 section 2.3.3). */
export type DeliveryAction = "failed" | "delayed" | "delivered" | "relayed" | "expanded"

/** What a report says of one recipient. */
export interface ReportedRecipient extends SmtpCodes {
  /** Whom it may mean, the likeliest first: the address that we sent to may have led to others. */
  readonly addresses: ReadonlyArray<string>
  readonly action: DeliveryAction
  /** What the other side said, with the codes in front, empty if that is not told. */
  readonly response: string
}

/** What became of a mail, as other servers tell it. */
export type DeliveryReport = ReadonlyArray<ReportedRecipient>

const longestResponse = 1_000

/** A part of a text that does not end in the middle of a character. */
const cut = (text: string): string => text.slice(0, longestResponse).replace(/[\ud800-\udbff]$/, "")

/**
 * One recipient's news. Codes that the words of the other side begin with go before `codes`, which is what is said
 * about them; the response always begins with what is known.
 */
export const reported = (
  addresses: ReadonlyArray<string>,
  action: DeliveryAction,
  said: string,
  codes: { readonly inWords: SmtpCodes; readonly status: string | null }
): ReportedRecipient => {
  const words = said
    .replace(/\s+/g, " ")
    .replace(/^[\s#'"(]+/, "")
    .trimEnd()
  const { inWords, status } = codes
  const leading = /^\d{3}[ -][245]\.\d{1,3}\.\d{1,3}(?!\.?\d)/.test(words)
  const enhancedCode = leading || isGeneric(status) ? (inWords.enhancedCode ?? status) : status
  const { smtpCode } = inWords
  if (leading) return { addresses, action, smtpCode, enhancedCode, response: cut(words) }
  const known = [smtpCode ?? [], enhancedCode ?? []].flat().map(String)
  const rest = known.reduce(
    (text, code) => (text.startsWith(code) ? text.slice(code.length).replace(/^[\s:;#-]+/, "") : text),
    words
  )
  return { addresses, action, smtpCode, enhancedCode, response: cut([...known, rest].join(" ").trim()) }
}

/** Whether a failure is for good (class 5), or one that whoever tried longer gave up on (class 4). */
export const isPermanent = ({ enhancedCode, smtpCode }: SmtpCodes): boolean =>
  !(enhancedCode ?? String(smtpCode ?? "5")).startsWith("4")
