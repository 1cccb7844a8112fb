/** The limits of a parsed mail. A mail beyond a limit is refused, or truncated if the limit is marked so. */
export const mailLimits = {
  /** 35 MiB of base64 have fewer. The parser holds each line as an object. */
  lines: 600_000,
  parts: 1_000,
  depth: 32,
  headers: 1_000,
  /** The total of all parts, in bytes. */
  headerBytes: 128 * 1024,
  attachments: 100,
  /** Characters of a text or HTML body; truncates. The raw mail has the rest. */
  body: 2_000_000,
  /** Addresses of a header field; truncates after the first ones. */
  addresses: 1_000,
  /** Message-IDs of References and In-Reply-To; the last ones are used, which are the nearest ancestors. */
  ids: 100
} as const

/** The mail exceeds a limit. */
export class MailLimitExceeded extends Error {}

const countOf = (raw: Buffer, sought: string, max: number): number => {
  let found = 0
  for (let at = raw.indexOf(sought); at >= 0 && found <= max; at = raw.indexOf(sought, at + sought.length)) found++
  return found
}

/** The values of all `boundary` parameters: every delimiter line begins with one of them. */
const boundaries = (text: string): ReadonlyArray<string> =>
  [...text.matchAll(/boundary[ \t]*=[ \t]*("?)([^"\r\n]{1,998})/gi)]
    .slice(0, mailLimits.parts)
    .map(([, quote = "", value = ""]) => (quote === "" ? (value.split(/[;\s]/, 1)[0] ?? "") : value))
    .map((value) => value.replaceAll("\\", ""))

/** An upper bound of the number of delimiter lines. Other lines that begin with dashes are not counted. */
const delimiters = (raw: Buffer): number => {
  const text = raw.toString("latin1")
  const declared = new Set(boundaries(text))
  // Boundaries in continuations (RFC 2231) are not parsed here: then every line with dashes counts.
  const hasContinuation = /boundary\*/i.test(text)
  const lengths = [...new Set([...declared].map((boundary) => boundary.length))]
  let found = 0
  for (const [line] of text.matchAll(/(?<=\n)--[^\r\n]*/g)) {
    if (hasContinuation || lengths.some((length) => declared.has(line.slice(2, 2 + length)))) found++
  }
  return found
}

/** Throws for a mail with too many lines or parts, before the parser uses memory for them. */
export const checkShape = (raw: Buffer): void => {
  if (countOf(raw, "\n", mailLimits.lines) > mailLimits.lines) throw new MailLimitExceeded("It has too many lines")
  if (countOf(raw, "\n--", mailLimits.parts) > mailLimits.parts && delimiters(raw) > mailLimits.parts) {
    throw new MailLimitExceeded("It has too many parts")
  }
}
