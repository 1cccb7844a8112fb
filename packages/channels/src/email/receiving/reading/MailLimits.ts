/** What a mail may be. More is refused, or where it says so, cut. */
export const mailLimits = {
  /** As many as 35 MiB of base64 have, and a few more: each is held by itself while it is read. */
  lines: 600_000,
  parts: 1_000,
  depth: 32,
  headers: 1_000,
  /** Of all parts together. */
  headerBytes: 128 * 1024,
  attachments: 100,
  /** Characters of a body: the rest is cut off, for the raw mail still has it. */
  body: 2_000_000,
  /** Of a header: the first ones are kept. */
  addresses: 1_000,
  /** Of a header: the last ones are kept, which are the nearest. */
  ids: 100
} as const

/** A mail is beyond its limits. */
export class MailTooMuch extends Error {}

const countOf = (raw: Buffer, sought: string, most: number): number => {
  let found = 0
  for (let at = raw.indexOf(sought); at >= 0 && found <= most; at = raw.indexOf(sought, at + sought.length)) found++
  return found
}

/** Values of `boundary` wherever they stand: a delimiter that none of them begins is no delimiter. */
const boundaries = (text: string): ReadonlyArray<string> =>
  [...text.matchAll(/boundary[ \t]*=[ \t]*("?)([^"\r\n]{1,998})/gi)]
    .slice(0, mailLimits.parts)
    .map(([, quote = "", value = ""]) => (quote === "" ? (value.split(/[;\s]/, 1)[0] ?? "") : value))
    .map((value) => value.replaceAll("\\", ""))

/** Lines that delimit parts, at most; a text full of dashes has none. */
const delimiters = (raw: Buffer): number => {
  const text = raw.toString("latin1")
  const known = new Set(boundaries(text))
  // In pieces (RFC 2231): nobody writes a boundary so who has nothing to hide.
  const hidden = /boundary\*/i.test(text)
  const lengths = [...new Set([...known].map((boundary) => boundary.length))]
  let found = 0
  for (const [line] of text.matchAll(/(?<=\n)--[^\r\n]*/g)) {
    if (hidden || lengths.some((length) => known.has(line.slice(2, 2 + length)))) found++
  }
  return found
}

/** Refuses what would cost much to take apart, before it is. */
export const checkShape = (raw: Buffer): void => {
  if (countOf(raw, "\n", mailLimits.lines) > mailLimits.lines) throw new MailTooMuch("It has too many lines")
  if (countOf(raw, "\n--", mailLimits.parts) > mailLimits.parts && delimiters(raw) > mailLimits.parts) {
    throw new MailTooMuch("It has too many parts")
  }
}
