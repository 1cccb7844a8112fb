import { gunzipSync } from "node:zlib"
import { reportLimits } from "@switchboard/domain/email/reports/MailReport"
import type { ReadReports } from "@switchboard/services/email/reports/MailReportRepo"
import { unzipSync } from "fflate"
import { decodeText } from "../reading/Charsets.js"
import { ReportRefused, readDmarcXml } from "./ReadDmarcXml.js"
import { readTlsJson } from "./ReadTlsJson.js"

const tooLarge = () => new ReportRefused(`The report has more than ${reportLimits.octets} octets`)

const gunzip = (octets: Uint8Array): Uint8Array => {
  try {
    return gunzipSync(octets, { maxOutputLength: reportLimits.octets })
  } catch (error) {
    throw error instanceof RangeError ? tooLarge() : new ReportRefused("The report is no complete gzip file")
  }
}

/** The first file of an archive. Its buffer has the declared size, which the file can't exceed. */
const unzip = (octets: Uint8Array): Uint8Array => {
  let size: number | undefined
  const files = (() => {
    try {
      return unzipSync(octets, {
        filter: ({ name, originalSize }) => {
          if (size !== undefined || name.endsWith("/")) return false
          size = originalSize
          return originalSize <= reportLimits.octets
        }
      })
    } catch {
      throw new ReportRefused("The report is no complete zip file")
    }
  })()
  if (size !== undefined && size > reportLimits.octets) throw tooLarge()
  const [file] = Object.values(files)
  if (file === undefined) throw new ReportRefused("The report is an archive without a file")
  return file
}

const startsWith = (octets: Uint8Array, ...start: ReadonlyArray<number>): boolean =>
  start.every((octet, at) => octets[at] === octet)

/** Decompresses a report by its first octets: senders label the same file differently. */
const unpacked = (octets: Uint8Array): Uint8Array => {
  if (startsWith(octets, 0x1f, 0x8b)) return gunzip(octets)
  return startsWith(octets, 0x50, 0x4b, 0x03, 0x04) ? unzip(octets) : octets
}

const declaration = /^\s*<\?xml[^>]{0,200}\sencoding\s*=\s*["']([^"']{1,40})/

/** Decodes a report by its byte order mark, or else by its XML declaration. */
const textOf = ({ buffer, byteLength, byteOffset }: Uint8Array): string => {
  const octets = Buffer.from(buffer, byteOffset, byteLength)
  const [, label = "utf-8"] = declaration.exec(octets.toString("latin1", 0, 400)) ?? []
  return decodeText(octets, label).trimStart()
}

const readReport = (octets: Uint8Array) => {
  const content = unpacked(octets)
  if (content.length > reportLimits.octets) throw tooLarge()
  const text = textOf(content)
  return text.startsWith("{") ? readTlsJson(text) : [readDmarcXml(text)]
}

/** Reads the reports of a mail. A file that is none is a problem, and does not affect the others. */
export const readReports = (files: ReadonlyArray<Uint8Array>): ReadReports => {
  const read = files.map((octets) => {
    try {
      return { reports: readReport(octets), problems: [] }
    } catch (error) {
      if (error instanceof ReportRefused) return { reports: [], problems: [error.message] }
      throw error
    }
  })
  return { reports: read.flatMap(({ reports }) => reports), problems: read.flatMap(({ problems }) => problems) }
}
