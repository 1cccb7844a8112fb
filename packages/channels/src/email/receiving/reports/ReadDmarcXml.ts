import { isIP } from "node:net"
import {
  type Disposition,
  dispositions,
  type MailReport,
  passesDmarc,
  type ReportedSource,
  reportLimits
} from "@switchboard/domain/email/reports/MailReport"
import { Parser } from "htmlparser2"
import { storableText } from "../../../StorableText.js"

/** A report that is not read, with the reason. */
export class ReportRefused extends Error {}

const maxDepth = 16
/** The maximum length of a value; more is cut. */
const maxValue = 255
/** More mails in one row are a mistake. */
const maxCount = 1_000_000_000

const domainName = /^[a-z0-9_](?:[a-z0-9_.-]{0,251}[a-z0-9])?$/

/** A domain in lower case without its final dot; empty if it is none. */
export const reportedDomain = (text: string): string => {
  const domain = text.trim().toLowerCase().replace(/\.$/, "")
  return domainName.test(domain) ? domain : ""
}

/** A number of mails or sessions. */
export const reportedCount = (value: unknown): number => {
  const count = typeof value === "string" && /^\d+$/.test(value) ? Number(value) : value
  if (typeof count !== "number" || !Number.isSafeInteger(count) || count < 0 || count > maxCount) {
    throw new ReportRefused("A count of the report is not a number of mails or sessions")
  }
  return count
}

/** A value that identifies a report; without one, repeats could not be recognized. */
export const reportedText = (text: string | undefined, what: string): string => {
  const value = storableText(text ?? "", maxValue).trim()
  if (value === "") throw new ReportRefused(`The report has no ${what}`)
  return value
}

/** The latest time that PostgreSQL and JavaScript both have. */
const maxTime = Date.UTC(9999, 11, 31)

/** The period of a report in milliseconds since 1970. */
export const reportedPeriod = (begin: number, end: number): Pick<MailReport, "begin" | "end"> => {
  if (!(begin >= 0 && begin <= end && end <= maxTime)) throw new ReportRefused("The report has no valid period")
  return { begin, end }
}

/** Adds up rows with the same key. */
export const addedUp = <Row extends { readonly count: number }>(
  rows: Map<string, Row>,
  key: ReadonlyArray<unknown>,
  row: Row
): void => {
  const id = JSON.stringify(key)
  const known = rows.get(id)
  rows.set(id, known === undefined ? row : { ...known, count: known.count + row.count })
  if (rows.size > reportLimits.rows) throw new ReportRefused(`The report has more than ${reportLimits.rows} rows`)
}

const dispositionOf = (text: string | undefined): Disposition => {
  const value = text?.trim().toLowerCase()
  return dispositions.find((one) => one === value) ?? "none"
}

const isPass = (text: string | undefined): boolean => text?.trim().toLowerCase() === "pass"

/** One row of a report, by the paths of its elements. */
const sourceOf = (values: ReadonlyMap<string, string>): ReportedSource => {
  const ip = values.get("row/source_ip")?.trim() ?? ""
  if (isIP(ip) === 0 || ip.includes("%")) throw new ReportRefused("A source of the report is not an IP address")
  return {
    ip,
    count: reportedCount(values.get("row/count")?.trim()),
    disposition: dispositionOf(values.get("row/policy_evaluated/disposition")),
    dkim: isPass(values.get("row/policy_evaluated/dkim")),
    spf: isPass(values.get("row/policy_evaluated/spf")),
    headerFrom: reportedDomain(values.get("identifiers/header_from") ?? "")
  }
}

const prefix = /^[^:]*:/

/** Parses the elements of a report. A document type is refused, so that no entity can be declared. */
const parseXml = (xml: string) => {
  const path: Array<string> = []
  const header = new Map<string, string>()
  const sources = new Map<string, ReportedSource>()
  let record = new Map<string, string>()
  let value = ""
  let isComplete = false
  const parser = new Parser(
    {
      onprocessinginstruction: (name) => {
        if (name.startsWith("!")) throw new ReportRefused("The report has a document type, which is not read")
      },
      onopentagname: (name) => {
        path.push(name.replace(prefix, ""))
        value = ""
        if (path.length > maxDepth) throw new ReportRefused(`The report is nested deeper than ${maxDepth} elements`)
      },
      ontext: (text) => {
        if (value.length <= maxValue) value += text
      },
      onclosetag: (_, isImplied) => {
        const [root, ...rest] = path
        path.pop()
        if (root !== "feedback") return
        if (rest.length === 0) isComplete = !isImplied
        else if (rest[0] !== "record") header.set(rest.join("/"), value)
        else if (rest.length > 1) record.set(rest.slice(1).join("/"), value)
        else {
          const source = sourceOf(record)
          const { count: _, ...row } = source
          if (source.count > 0) addedUp(sources, Object.values(row), source)
          record = new Map()
        }
        value = ""
      }
    },
    { xmlMode: true }
  )
  parser.end(xml)
  if (!isComplete) throw new ReportRefused("The report is no complete DMARC report")
  return { header, sources: [...sources.values()] }
}

/** Seconds since 1970 as milliseconds. */
const timeOf = (text: string | undefined): number => (/^\s*\d{1,12}\s*$/.test(text ?? "") ? Number(text) * 1_000 : -1)

/** Reads a DMARC aggregate report (RFC 7489 appendix C, RFC 9990). Throws `ReportRefused`. */
export const readDmarcXml = (xml: string): MailReport => {
  const { header, sources } = parseXml(xml)
  const total = (rows: ReadonlyArray<ReportedSource>) => rows.reduce((sum, { count }) => sum + count, 0)
  return {
    kind: "dmarc",
    reporter: reportedText(header.get("report_metadata/org_name"), "name of its sender"),
    reportId: reportedText(header.get("report_metadata/report_id"), "id"),
    domain: reportedText(reportedDomain(header.get("policy_published/domain") ?? ""), "domain"),
    policy: dispositionOf(header.get("policy_published/p")),
    ...reportedPeriod(
      timeOf(header.get("report_metadata/date_range/begin")),
      timeOf(header.get("report_metadata/date_range/end"))
    ),
    total: total(sources),
    passed: total(sources.filter(passesDmarc)),
    sources,
    failures: []
  }
}
