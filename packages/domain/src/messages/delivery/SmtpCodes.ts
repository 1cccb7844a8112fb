/** The codes of an SMTP reply. */
export interface SmtpCodes {
  /** The reply code (RFC 5321 section 4.2), like 550. */
  readonly smtpCode: number | null
  /** The enhanced status code (RFC 3463), like 5.1.1. */
  readonly enhancedCode: string | null
}

/** A reply code where replies are cited, not a size or a part of an address: `550 `, `said: 550-`, `'550`, `#550`. */
const reply = /(?:^|[:;'"(#<>]|\b(?:said|returned|error|code|status|reply|with))[ \t]*([245]\d\d)(?=[ \-:,#;)'"]|$)/i
/** An enhanced status code that is not part of an IP address or a version; it may end in a full stop. */
const enhanced = /(?<![\d.])([245]\.\d{1,3}\.\d{1,3})(?!\.?\d)/
/** A reply code followed by an enhanced status code. */
const both = /(?<![\d.])([245]\d\d)[ \-:]{1,2}#?([245]\.\d{1,3}\.\d{1,3})(?!\.?\d)/

/** The codes in a text. If the text has both codes side by side, they are from the same reply. */
export const codesIn = (text: string): SmtpCodes => {
  const [, smtp = null, code = null] = both.exec(text) ?? []
  if (smtp !== null && code !== null) return { smtpCode: Number(smtp), enhancedCode: code }
  const smtpCode = reply.exec(text)?.[1]
  return { smtpCode: smtpCode === undefined ? null : Number(smtpCode), enhancedCode: enhanced.exec(text)?.[1] ?? null }
}

/** Whether a code has no specific meaning: `5.0.0`. */
export const isGeneric = (enhancedCode: string | null): boolean =>
  enhancedCode === null || /^[245]\.0\.0$/.test(enhancedCode)
