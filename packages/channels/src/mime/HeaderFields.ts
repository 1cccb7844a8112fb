/** A field of a header section (RFC 5322 section 2.2). */
export interface RawField {
  /** In lower case; empty for the body, and for a line without a name. */
  readonly name: string
  readonly octets: Buffer
}

interface Start {
  readonly name: string
  readonly start: number
}

/** The fields of a mail, of which the first `limit` octets are searched; the last element is the body with its empty line. */
export const headerFields = (raw: Buffer, limit: number): ReadonlyArray<RawField> => {
  const fields: Array<Start> = []
  let start = 0
  while (start < raw.length && start < limit) {
    const end = raw.indexOf("\r\n", start)
    if (end === start || end < 0) break
    const isFolded = raw[start] === 0x20 || raw[start] === 0x09
    if (!isFolded) {
      const colon = raw.subarray(start, Math.min(end, start + 78)).indexOf(0x3a)
      const name = raw.subarray(start, start + Math.max(colon, 0)).toString("latin1")
      fields.push({ name: name.trim().toLowerCase(), start })
    }
    start = end + 2
  }
  return [...fields, { name: "", start }].map(({ name, start: from }, index, all) => ({
    name,
    octets: raw.subarray(from, all[index + 1]?.start ?? raw.length)
  }))
}

/** The value of a field, unfolded (RFC 5322 section 2.2.3). */
export const fieldValue = ({ octets }: RawField): string => {
  const field = octets.toString("latin1")
  return field
    .slice(field.indexOf(":") + 1)
    .replace(/\r\n/g, "")
    .trim()
}
