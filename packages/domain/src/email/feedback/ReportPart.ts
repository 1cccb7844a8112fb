/** A part of a report (RFC 6522), with its transfer encoding taken off. */
export interface ReportPart {
  readonly contentType: string
  readonly content: Uint8Array
}

/** What programs say about a mail is short. Whoever writes more than this writes no report. */
const longestReport = 256 * 1024

const decoder = new TextDecoder("utf-8")

/** Control characters say nothing, and the database takes no NUL. */
const withoutControls = (text: string): string => text.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/g, " ")

/** The text of a part, as far as a report goes. */
export const partText = ({ content }: ReportPart): string =>
  withoutControls(decoder.decode(content.subarray(0, longestReport)))

/** The first part of one of these types. */
export const partOf = (parts: ReadonlyArray<ReportPart>, types: ReadonlyArray<string>): ReportPart | undefined =>
  parts.find(({ contentType }) => types.includes((contentType.split(";", 1)[0] ?? "").trim().toLowerCase()))
