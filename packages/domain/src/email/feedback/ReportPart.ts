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
