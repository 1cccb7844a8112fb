import { SMTPConnection } from "smtp-server/lib/smtp-connection.js"
import type { SMTPStream } from "smtp-server/lib/smtp-stream.js"
import { LineBreaks } from "./reading/LineBreaks.js"

/** After so many refusals a client is sent away. */
const mostRefusals = 10

/** One local part at one domain, and nothing that asks for more: no percent hack, bang path, source route, quotes or address literal. */
const plainPath = /^[^\s"%!:,@[\]\\<>()]+@[^\s"%!:,@[\]\\<>()]+$/

/** After a path come parameters (RFC 5321 section 4.1.2), and no second path. */
const parameters = /^(?:\s+[a-z0-9][a-z0-9-]*(?:=[\x21-\x7e]*)?)*\s*$/i

/** What MAIL offers in the reply to EHLO (RFC 1870, RFC 6152). */
const mailParameters = ["SIZE", "BODY"]

/** A path with a quoted local part (RFC 5321 section 4.1.2): the text before it, the local part, and the rest. */
const quotedPath =
  /^(\s*(?:mail\s+from|rcpt\s+to)\s*:\s*<(?:@[^:<>"]*:)?)("(?:[\x20\x21\x23-\x5b\x5d-\x7e]|\\[\x20-\x7e])*")(@[^\s<>"]+>.*)$/is
const dotString = /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/

/** RFC 5321 section 4.1.2: quotes that are not needed are left out. */
const localPartOf = (quoted: string): string => {
  const content = quoted.slice(1, -1).replace(/\\(.)/g, "$1")
  return dotString.test(content) ? content : quoted
}

/** The command with the quotes of its path left out if they are not needed. */
const withoutQuotes = (command: string): string =>
  command.replace(
    quotedPath,
    (_, before: string, quoted: string, after: string) => before + localPartOf(quoted) + after
  )

const unknownParameter = (command: "MAIL" | "RCPT") => `5.5.4 A ${command} parameter is not recognized`

const enhanced = /^[245]\.\d{1,3}\.\d{1,3} /

/** A session that takes nothing but what it takes for certain: what a lenient server reads one way, another reads another way. */
export class StrictConnection extends SMTPConnection {
  #refusals = 0
  #tooLong: NodeJS.Timeout | undefined

  /** How long a session may be, in milliseconds. */
  static readonly within =
    (sessionTimeout: number) =>
    (...given: ConstructorParameters<typeof SMTPConnection>): StrictConnection => {
      const connection = new StrictConnection(...given)
      connection.#tooLong = setTimeout(
        () => connection.send(421, "4.4.2 The session takes too long", false),
        sessionTimeout
      ).unref()
      return connection
    }

  override _onClose(): void {
    clearTimeout(this.#tooLong)
    super._onClose()
  }

  /** Commands end with CRLF. Whoever sends anything else is sent away before the line is read. */
  override _createParser(): SMTPStream {
    const parser = super._createParser()
    const write = parser._write.bind(parser)
    parser._write = (chunk, encoding, next) => {
      if (parser._dataMode || parser.isClosed) return write(chunk, encoding, next)
      const breaks = new LineBreaks()
      breaks.see(Buffer.from(parser._remainder, "binary"))
      breaks.see(chunk)
      if (!breaks.hasBare) return write(chunk, encoding, next)
      this.send(521, "5.5.2 A line ends with CR and LF")
      this.close()
      next()
    }
    return parser
  }

  /** What we answer ourselves brings its enhanced status code. Whoever is refused again and again is sent away. */
  override send(code: number, data?: string | Array<string> | null, context?: string | false): void {
    if (code >= 500) this.#refusals += 1
    if (code >= 500 && this.#refusals >= mostRefusals) super.send(421, "4.7.0 Too many errors", false)
    else super.send(code, data, typeof data === "string" && enhanced.test(data) ? false : context)
  }

  /**
   * The address as it was written: what the library makes of A-labels can't be turned back for certain. The library
   * does not take a quoted local part, which a reverse-path may have: it gets another one in its place.
   */
  override _parseAddressCommand(
    rawName: string,
    rawCommand: Buffer | string
  ): ReturnType<SMTPConnection["_parseAddressCommand"]> {
    const given = rawCommand.toString()
    const [, before = "", quoted, after = ""] = quotedPath.exec(given) ?? []
    const command = quoted === undefined ? given : `${before}quoted${after}`
    const parsed = super._parseAddressCommand(rawName, command)
    const [, written, rest = ""] = /<(?:@[^:>]*:)?([^<>]*)>(.*)/s.exec(command) ?? []
    if (!parameters.test(rest)) return false
    if (parsed === false || written === undefined) return parsed
    if (written.includes('"')) return false
    const address = quoted === undefined ? written : localPartOf(quoted) + written.slice(written.lastIndexOf("@"))
    return { ...parsed, address }
  }

  /** RFC 5321 section 4.1.1.11: a parameter that was not offered is refused. An address beyond ASCII has its own refusal. */
  override _validateMailParams(
    parsed: Parameters<SMTPConnection["_validateMailParams"]>[0]
  ): ReturnType<SMTPConnection["_validateMailParams"]> {
    const unknown = Object.keys(parsed.args || {}).some((name) => !mailParameters.includes(name))
    return unknown && /^\p{ASCII}*$/u.test(parsed.address)
      ? { code: 555, message: unknownParameter("MAIL"), enhancedCode: null }
      : super._validateMailParams(parsed)
  }

  /** RCPT has no parameters: none is offered. */
  override handler_RCPT(given: Buffer, callback: () => void): void {
    const command = withoutQuotes(given.toString())
    const [, path, rest = ""] = /:\s*<([^>]+)>(.*)/s.exec(command) ?? []
    if (path !== undefined && path.toLowerCase() !== "postmaster" && !plainPath.test(path)) {
      this.send(550, "5.7.1 Relaying is denied")
      callback()
    } else if (rest.trim() !== "" && parameters.test(rest)) {
      this.send(555, unknownParameter("RCPT"))
      callback()
    } else {
      super.handler_RCPT(Buffer.from(command), callback)
    }
  }
}
