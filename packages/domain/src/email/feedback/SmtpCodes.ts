/** The codes by which servers say why they don't take a mail. */
export interface SmtpCodes {
  /** RFC 5321 section 4.2, like 550. */
  readonly smtpCode: number | null
  /** RFC 3463, like 5.1.1. */
  readonly enhancedCode: string | null
}

/** 550 that stands where replies are cited, and is no size and no part of an address: `550 `, `said: 550-`, `'550`, `#550`. */
const reply = /(?:^|[:;'"(#<>]|\b(?:said|returned|error|code|status|reply|with))[ \t]*([245]\d\d)(?=[ \-:,#;)'"]|$)/i
/** 5.1.1 that is no part of an IP address or a version, with a full stop or none after it. */
const enhanced = /(?<![\d.])([245]\.\d{1,3}\.\d{1,3})(?!\.?\d)/
/** As servers write both: the second says what the first means. */
const both = /(?<![\d.])([245]\d\d)[ \-:]{1,2}#?([245]\.\d{1,3}\.\d{1,3})(?!\.?\d)/

/** The codes that a text tells, both of one reply if it has them together. */
export const codesIn = (text: string): SmtpCodes => {
  const [, smtp = null, code = null] = both.exec(text) ?? []
  if (smtp !== null && code !== null) return { smtpCode: Number(smtp), enhancedCode: code }
  const smtpCode = reply.exec(text)?.[1]
  return { smtpCode: smtpCode === undefined ? null : Number(smtpCode), enhancedCode: enhanced.exec(text)?.[1] ?? null }
}

/** Whether a code only says that something failed, or not: `5.0.0`. */
export const isGeneric = (enhancedCode: string | null): boolean =>
  enhancedCode === null || /^[245]\.0\.0$/.test(enhancedCode)
