import { storableText } from "../../StorableText.js"

/** A complete reply (RFC 5321 section 4.2). */
export interface SmtpReply {
  readonly code: number
  /** The text of each line, without code and line end. */
  readonly lines: ReadonlyArray<string>
  /** The reply as it is stored: all lines with their codes. */
  readonly text: string
}

/** RFC 5321 section 4.5.3.1.5 allows 512 octets; servers with long texts exceed it. */
const maxLineLength = 4_096

/** An EHLO reply of a real server has about twenty lines. */
const maxLines = 200

/** Characters of a reply that are stored. */
const maxStoredLength = 2_000

const linePattern = /^([2-5]\d\d)([ -]?)(.*)$/s

const decoded = (octets: string): string =>
  /[\x80-\xff]/.test(octets) ? Buffer.from(octets, "latin1").toString("utf8") : octets

/** Cuts the octets of a server into replies. */
export class ReplyReader {
  private buffered = ""
  private lines: Array<string> = []
  private raw: Array<string> = []
  private code = ""

  push(octets: Buffer): void {
    this.buffered += octets.toString("latin1")
  }

  /** Discards what was read but not returned. */
  clear(): void {
    this.buffered = ""
    this.lines = []
    this.raw = []
  }

  /** The next complete reply, null until it has arrived, or "invalid" where the octets are no SMTP reply. */
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
