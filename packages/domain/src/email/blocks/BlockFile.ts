import { DateTime, Either, Option } from "effect"
import { classifyFailure, isAboutAddress } from "../../messages/delivery/FailureReason.js"
import { codesIn } from "../../messages/delivery/SmtpCodes.js"
import { type BlockReason, blockColumns, type RefusedLine } from "./Block.js"

/**
 * The use of a column. `reason` is mapped, `code` and `text` are those of the refusal of a mail, and null is not used.
 * The cells of the others become the field of the same name.
 */
type Use = "email" | "category" | "reason" | "createdAt" | "expiresAt" | "code" | "text" | null

/** A file that another service exports. */
interface ServiceFile {
  readonly name: string
  readonly columns: Readonly<Record<string, Use>>
  /** Columns that the file may lack. */
  readonly optional?: ReadonlyArray<string>
  /** Our reasons by the cells of the columns `reason`, joined by a space. The first match applies. */
  readonly reasons?: ReadonlyArray<readonly [form: RegExp, reason: BlockReason]>
  /** The reason of lines that match none of `reasons`. */
  readonly otherwise: BlockReason
}

/** The known files. Names of columns are compared without case. */
const serviceFiles: ReadonlyArray<ServiceFile> = [
  {
    name: "Postmark",
    columns: { EmailAddress: "email", SuppressionReason: "reason", Origin: "reason", CreatedAt: "createdAt" },
    optional: ["Origin", "CreatedAt"],
    reasons: [
      [/^HardBounce/i, "hard_bounce"],
      [/^SpamComplaint/i, "complaint"],
      [/^ManualSuppression Recipient$/i, "unsubscribe"]
    ],
    otherwise: "manual"
  },
  {
    name: "SendGrid (bounces)",
    columns: { status: "code", reason: "text", email: "email", created: "createdAt" },
    otherwise: "hard_bounce"
  },
  {
    name: "SendGrid (invalid emails)",
    columns: { email: "email", reason: null, created: "createdAt" },
    otherwise: "hard_bounce"
  },
  {
    name: "SendGrid (spam reports)",
    columns: { email: "email", ip: null, created: "createdAt" },
    otherwise: "complaint"
  },
  {
    name: "SendGrid (unsubscribes)",
    columns: { email: "email", created: "createdAt" },
    otherwise: "unsubscribe"
  },
  {
    name: "Amazon SES",
    columns: { EmailAddress: "email", Reason: "reason", LastUpdateTime: "createdAt" },
    optional: ["LastUpdateTime"],
    reasons: [
      [/^BOUNCE$/i, "hard_bounce"],
      [/^COMPLAINT$/i, "complaint"]
    ],
    otherwise: "manual"
  },
  {
    name: "Postal",
    columns: {
      id: null,
      type: null,
      address: "email",
      reason: "reason",
      timestamp: "createdAt",
      keep_until: "expiresAt"
    },
    optional: ["id", "type", "timestamp", "keep_until"],
    reasons: [[/hard fails/i, "hard_bounce"]],
    otherwise: "manual"
  },
  {
    name: "Mailgun (bounces)",
    columns: { address: "email", code: "code", error: "text", created_at: "createdAt" },
    otherwise: "hard_bounce"
  },
  {
    name: "Mailgun (unsubscribes)",
    columns: { address: "email", tags: "category", created_at: "createdAt" },
    optional: ["created_at"],
    otherwise: "unsubscribe"
  },
  {
    name: "Mailgun (complaints)",
    columns: { address: "email", created_at: "createdAt" },
    otherwise: "complaint"
  },
  {
    name: "Resend",
    columns: { id: null, email: "email", origin: "reason", source_id: null, created_at: "createdAt" },
    optional: ["id", "source_id", "created_at"],
    reasons: [
      [/^bounce$/i, "hard_bounce"],
      [/^complaint$/i, "complaint"]
    ],
    otherwise: "manual"
  }
]

/** The fields of a block as text, or error messages by column. */
type Line = Either.Either<Readonly<Record<string, string>>, RefusedLine["fields"]>

/** Reads the cells of a line. */
export type BlockLines = (cells: ReadonlyArray<string>) => Line

const unixSeconds = /^\d{9,11}(?:\.\d+)?$/
const withoutZone = /^\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d(?:\.\d+)?$/
const withZone = /^(?:\d{4}-\d\d-\d\dT|[A-Z][a-z]{2}, \d)/

/** Milliseconds since 1970. NaN for other text. */
const millisecondsIn = (cell: string): number => {
  if (unixSeconds.test(cell)) return Number(cell) * 1_000
  if (withoutZone.test(cell)) return Date.parse(`${cell.replace(" ", "T")}Z`)
  return withZone.test(cell) ? Date.parse(cell) : Number.NaN
}

/** A time as ISO 8601, from ISO 8601 (UTC without a zone), seconds since 1970 or RFC 5322. */
const timeIn = (cell: string): Option.Option<string> =>
  Option.map(DateTime.make(millisecondsIn(cell)), DateTime.formatIso)

/** Why the refusal of a mail blocks no address, by the rules for mail of this service. Null if it does. */
const otherRefusal = (code: string, text: string): string | null => {
  if (code.startsWith("4")) return "is a temporary failure, which blocks no address"
  const { enhancedCode, smtpCode } = codesIn(text)
  const reason = classifyFailure({ enhancedCode: enhancedCode ?? codesIn(code).enhancedCode, smtpCode, text })
  return reason === "unknown" || isAboutAddress(reason)
    ? null
    : `is a refusal of the mail, not of the address: ${reason}`
}

const tooManyCells = (limit: number) => Either.left({ line: [`must have at most ${limit} cells`] })

/** Lines in the columns of this service: their cells are the fields, an empty cell is a missing field. */
const ownLines =
  (header: ReadonlyArray<string>): BlockLines =>
  (cells) =>
    withoutEmptyEnd(cells).length > header.length
      ? tooManyCells(header.length)
      : Either.right(
          Object.fromEntries(
            header.flatMap((name, place) => {
              const cell = cells[place]?.trim() ?? ""
              return cell === "" ? [] : [[name, cell]]
            })
          )
        )

const serviceLines = (header: ReadonlyArray<string>, file: ServiceFile): BlockLines => {
  const { columns, otherwise, reasons = [] } = file
  const placed = Object.entries(columns).map(([name, use]) => ({
    name,
    use,
    place: header.indexOf(name.toLowerCase())
  }))
  const refused = placed.find(({ use }) => use === "text")?.name
  return (cells) => {
    if (withoutEmptyEnd(cells).length > header.length) return tooManyCells(header.length)
    const cellOf = (use: Use) =>
      placed
        .flatMap((column) => (column.use === use ? [cells[column.place]?.trim() ?? ""] : []))
        .join(" ")
        .trim()
    const problem = refused === undefined ? null : otherRefusal(cellOf("code"), cellOf("text"))
    if (refused !== undefined && problem !== null) return Either.left({ [refused]: [problem] })
    const given = cellOf("reason")
    const [, reason = otherwise] = reasons.find(([form]) => form.test(given)) ?? []
    const category = cellOf("category")
    const expiresAt = cellOf("expiresAt")
    const createdAt = Option.getOrUndefined(timeIn(cellOf("createdAt")))
    return Either.right({
      email: cellOf("email"),
      reason,
      // Mailgun: `*` stands for all mail.
      ...(category === "" || category === "*" ? {} : { category }),
      ...(expiresAt === "" ? {} : { expiresAt: Option.getOrElse(timeIn(expiresAt), () => expiresAt) }),
      ...(createdAt === undefined ? {} : { createdAt })
    })
  }
}

const knownFiles = [
  `email or domain, with any of ${blockColumns.filter((name) => name !== "email" && name !== "domain").join(", ")}`,
  ...serviceFiles.map(({ columns, name }) => `${name}: ${Object.keys(columns).join(", ")}`)
].join("; ")

/** A line without the empty cells at its end, which spreadsheets add. */
const withoutEmptyEnd = (cells: ReadonlyArray<string>) =>
  cells.slice(0, cells.findLastIndex((cell) => cell.trim() !== "") + 1)

/** The reader of a file with this header line, or error messages about the header. */
export const blockLines = (header: ReadonlyArray<string>): Either.Either<BlockLines, ReadonlyArray<string>> => {
  const names = withoutEmptyEnd(header).map((name) => name.trim().toLowerCase())
  if (new Set(names).size < names.length) return Either.left(["must not name a column twice"])
  const own = names.flatMap((name) => blockColumns.filter((column) => column.toLowerCase() === name))
  if (own.length === names.length) {
    return names.includes("email") || names.includes("domain")
      ? Either.right(ownLines(own))
      : Either.left(["must name email or domain"])
  }
  const file = serviceFiles.find(({ columns, optional = [] }) => {
    const known = Object.keys(columns)
    return (
      names.every((name) => known.some((column) => column.toLowerCase() === name)) &&
      known.every((column) => optional.includes(column) || names.includes(column.toLowerCase()))
    )
  })
  return file === undefined
    ? Either.left([`must be the columns of a known file, not ${header.join(", ")}. Known are ${knownFiles}`])
    : Either.right(serviceLines(names, file))
}
