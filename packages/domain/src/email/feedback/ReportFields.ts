/** A MIME part of a report (RFC 6522), with its transfer encoding removed. */
export interface ReportPart {
  readonly contentType: string
  readonly content: Uint8Array
}

/** The maximum number of bytes that are read of a report: real reports are short. */
const maxReportBytes = 256 * 1024

const decoder = new TextDecoder("utf-8")

/** Removes control characters: they carry no information, and PostgreSQL text can't contain NUL. */
const withoutControls = (text: string): string => text.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/g, " ")

/** The text of a part, up to `maxReportBytes`. */
export const partText = ({ content }: ReportPart): string =>
  withoutControls(decoder.decode(content.subarray(0, maxReportBytes)))

/** The parts with one of these content types. */
export const partsOf = (parts: ReadonlyArray<ReportPart>, types: ReadonlyArray<string>): ReadonlyArray<ReportPart> =>
  parts.filter(({ contentType }) => types.includes((contentType.split(";", 1)[0] ?? "").trim().toLowerCase()))

/** The first part with one of these content types. */
export const partOf = (parts: ReadonlyArray<ReportPart>, types: ReadonlyArray<string>): ReportPart | undefined =>
  partsOf(parts, types)[0]

const maxAddressLength = 320

/** The addresses in a text. The text is split rather than searched: untrusted input can't cause backtracking. */
export const addressesIn = (text: string): ReadonlyArray<string> =>
  text.split(/[\s<>()[\],;:"]+/).flatMap((word) => {
    const address = word.replace(/^[='`.]+/, "").replace(/['`.!?]+$/, "")
    const at = address.lastIndexOf("@")
    return at > 0 && at < address.length - 1 && address.length <= maxAddressLength ? [address] : []
  })

/** Decodes xtext (RFC 3461 section 4). Some servers report an address without decoding it. */
const fromXtext = (text: string): string =>
  text.replace(/\+([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))

/** The address of a field like `rfc822; ada@example.com` (RFC 3464 section 2.1.2), as written and decoded. */
export const typedAddresses = (value: string): ReadonlyArray<string> => {
  const [address] = addressesIn(value.slice(value.indexOf(";") + 1))
  if (address === undefined) return []
  const decoded = fromXtext(address)
  return decoded === address ? [address] : [address, decoded]
}

/** Header fields (RFC 5322) in order: names in lower case, values unfolded. */
export type ReportFields = ReadonlyArray<{ readonly name: string; readonly value: string }>

const fieldName = /^([!-9;-~]+)[ \t]*:/

const readGroup = (lines: ReadonlyArray<string>): ReportFields => {
  const fields: Array<{ readonly name: string; readonly lines: Array<string> }> = []
  for (const line of lines) {
    const name = fieldName.exec(line)
    if (/^[ \t]/.test(line)) {
      fields.at(-1)?.lines.push(line.trim())
    } else if (name !== null) {
      fields.push({ name: (name[1] ?? "").toLowerCase(), lines: [line.slice(name[0].length).trim()] })
    }
  }
  // Lines are joined once per field: a malicious field can be folded over every line of the mail.
  return fields.map(({ lines: folded, name }) => ({ name, value: folded.join(" ").trim() }))
}

/** Groups of fields, separated by empty lines. Lines that are not fields are skipped. */
export const readFieldGroups = (text: string): ReadonlyArray<ReportFields> => {
  const groups: Array<Array<string>> = [[]]
  for (const line of text.split(/\r\n|\r|\n/)) {
    if (line.trim() === "") groups.push([])
    else groups.at(-1)?.push(line)
  }
  return groups.map(readGroup).filter((group) => group.length > 0)
}

/** The value of the first field with this name, or an empty text. */
export const fieldOf = (fields: ReportFields, name: string): string =>
  fields.find((field) => field.name === name)?.value ?? ""

const types = ["message/rfc822", "text/rfc822-headers", "message/rfc822-headers", "message/global"]

/** The header fields of the mail that a report encloses; empty if there is none. */
export const enclosedHeader = (parts: ReadonlyArray<ReportPart>): ReportFields => {
  const original = partOf(parts, types)
  const header = original === undefined ? "" : (partText(original).split(/\r?\n[ \t]*\r?\n/, 1)[0] ?? "")
  return readFieldGroups(header)[0] ?? []
}
