import { isUtf8 } from "node:buffer"
import { storableText } from "../../StorableText.js"

/** A complete reply (RFC 5321 section 4.2). */
export interface SmtpReply {
  readonly code: number
  /** The text of each line, without the code. */
  readonly lines: ReadonlyArray<string>
  /** All lines with their codes, in a form that can be stored. */
  readonly text: string
}

/** In octets. RFC 5321 section 4.5.3.1.5 allows 512, which some servers exceed. */
const maxLineLength = 4_096

/** EHLO replies have about twenty lines. */
const maxLines = 200

/** In characters. */
const maxStoredLength = 2_000

const linePattern = /^([2-5]\d\d)([ -]?)(.*)$/s

/** Decodes UTF-8 (RFC 6531 section 3.7.4.2), or else Latin-1, which older servers send. */
const decoded = (octets: string): string => {
  if (!/[\x80-\xff]/.test(octets)) return octets
  const bytes = Buffer.from(octets, "latin1")
  return isUtf8(bytes) ? bytes.toString("utf8") : octets
}

/** Parses the octets of a server into replies. */
export class ReplyReader {
  private buffered = ""
  private lines: Array<string> = []
  private raw: Array<string> = []
  private code = ""

  push(octets: Buffer): void {
    this.buffered += octets.toString("latin1")
  }

  /** Whether octets have arrived that `next` did not return. */
  get hasInput(): boolean {
    return this.buffered !== "" || this.lines.length > 0
  }

  /** Discards the buffered octets. */
  clear(): void {
    this.buffered = ""
    this.lines = []
    this.raw = []
  }

  /** The next complete reply, null until it has arrived, or "invalid" if the octets are not an SMTP reply. */
  next(): SmtpReply | "invalid" | null {
    for (;;) {
      const end = this.buffered.indexOf("\n")
      if (end > maxLineLength || (end < 0 && this.buffered.length > maxLineLength)) return "invalid"
      if (end < 0) return null
      const line = this.buffered.slice(0, this.buffered[end - 1] === "\r" ? end - 1 : end)
      this.buffered = this.buffered.slice(end + 1)
      const [, code, mark, text] = linePattern.exec(line) ?? []
      if (code === undefined || (mark === "" && text !== "")) return "invalid"
      if (this.lines.length > 0 && code !== this.code) return "invalid"
      this.code = code
      this.lines.push(decoded(text ?? ""))
      this.raw.push(line)
      if (mark === "-" && this.lines.length >= maxLines) return "invalid"
      if (mark !== "-") {
        const reply = {
          code: Number(code),
          lines: this.lines,
          text: storableText(decoded(this.raw.join("\n")), maxStoredLength)
        }
        this.lines = []
        this.raw = []
        return reply
      }
    }
  }
}
