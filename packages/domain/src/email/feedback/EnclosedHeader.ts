import { type ReportFields, readFieldGroups } from "./ReportFields.js"
import { partOf, partText, type ReportPart } from "./ReportPart.js"

const types = ["message/rfc822", "text/rfc822-headers", "message/rfc822-headers", "message/global"]

/** The header fields of the mail that a report encloses; empty if there is none. */
export const enclosedHeader = (parts: ReadonlyArray<ReportPart>): ReportFields => {
  const original = partOf(parts, types)
  const header = original === undefined ? "" : (partText(original).split(/\r?\n[ \t]*\r?\n/, 1)[0] ?? "")
  return readFieldGroups(header)[0] ?? []
}
