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

/** The service extensions of an EHLO reply (RFC 5321 section 4.1.1.1): keyword to parameters, in upper case. */
export type SmtpExtensions = ReadonlyMap<string, string>

export const noExtensions: SmtpExtensions = new Map()

/** Parses the lines of an EHLO reply. The first line is the greeting. */
export const smtpExtensions = ([, ...lines]: ReadonlyArray<string>): SmtpExtensions =>
  new Map(
    lines.flatMap((line) => {
      const [keyword = "", ...parameters] = line.trim().toUpperCase().split(/[ =]+/)
      return keyword === "" ? [] : [[keyword, parameters.join(" ")] as const]
    })
  )

/** The stage of a session at which a failure occurred. */
export type SmtpStage =
  | "connect"
  | "greeting"
  | "EHLO"
  | "STARTTLS"
  | "AUTH"
  | "MAIL"
  | "RCPT"
  | "DATA"
  | "mail data"
  | "dot"
  | "RSET"

/** A failed connection or command. */
export interface SmtpFailure {
  readonly stage: SmtpStage
  /**
   * `reply`: the server refused. `lost`: the connection closed. `timeout`: no reply in time.
   * `invalid`: not a valid reply to the command. `unsendable`: the mail was not offered to the server.
   */
  readonly cause: "reply" | "lost" | "timeout" | "invalid" | "unsendable"
  readonly reply: SmtpReply | null
  readonly message: string
}

/** The text of the server's reply, or else a description of the failure. */
export const failureResponse = ({ message, reply }: SmtpFailure): string => reply?.text ?? message

export const refusedReply = (stage: SmtpStage, reply: SmtpReply): SmtpFailure => ({
  stage,
  cause: "reply",
  reply,
  message: reply.text
})

export const invalidReply = (stage: SmtpStage): SmtpFailure => ({
  stage,
  cause: "invalid",
  reply: null,
  message: `The reply to ${stage} is not SMTP`
})

/** 503: the server expects another command, since its session is not the one that the client has. */
export const isOutOfStep = ({ code }: SmtpReply): boolean => code === 503

/** The reply of a session out of step, which is not about the mail or a recipient. */
export const outOfStep = (stage: SmtpStage, reply: SmtpReply): SmtpFailure => ({
  stage,
  cause: "invalid",
  reply,
  message: reply.text
})

/** No reply, or no connection, within the timeout. */
export const replyTimeout = (stage: SmtpStage, within: string): SmtpFailure => ({
  stage,
  cause: "timeout",
  reply: null,
  message: stage === "connect" ? `No connection within ${within}` : `No reply at ${stage} within ${within}`
})

export const lostConnection = (stage: SmtpStage, message = "The connection was closed"): SmtpFailure => ({
  stage,
  cause: "lost",
  reply: null,
  message
})

/** Whether the server may have accepted the mail: the session failed between the final dot and its reply. */
export const mayBeAccepted = ({ cause, stage }: SmtpFailure): boolean =>
  stage === "dot" && (cause === "lost" || cause === "timeout" || cause === "invalid")
