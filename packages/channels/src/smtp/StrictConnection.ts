import { isLoopbackAddress } from "@switchboard/services/network/AddressNetwork"
import { SMTPConnection } from "smtp-server/lib/smtp-connection.js"
import type { SMTPStream } from "smtp-server/lib/smtp-stream.js"
import { LineBreaks } from "../email/receiving/reading/ReadOctets.js"

/** The connection is closed with 421 at this many 5xx replies. */
const maxRefusals = 10

/** `local@domain` without a percent hack, bang path, source route, quoted string or address literal. */
const mailboxPath = /^[^\s"%!:,@[\]\\<>()]+@[^\s"%!:,@[\]\\<>()]+$/

/** The esmtp-params after a path (RFC 5321 section 4.1.2). */
const parameters = /^(?:\s+[a-z0-9][a-z0-9-]*(?:=[\x21-\x7e]*)?)*\s*$/i

/** The MAIL parameters that the reply to EHLO offers (RFC 1870, RFC 6152), and the one that it may offer (RFC 6531). */
const mailParameters = ["SIZE", "BODY"]
const utf8Parameter = "SMTPUTF8"

/** A command with a quoted local part (RFC 5321 section 4.1.2): the text before it, the local part, and the rest. */
const quotedPath =
  /^(\s*(?:mail\s+from|rcpt\s+to)\s*:\s*<(?:@[^:<>"]*:)?)("(?:[\x20\x21\x23-\x5b\x5d-\x7e]|\\[\x20-\x7e])*")(@[^\s<>"]+>.*)$/is
const dotString = /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/

/** A quoted local part in its shortest form: unquoted if it is a dot-string (RFC 5321 section 4.1.2). */
const localPartOf = (quoted: string): string => {
  const content = quoted.slice(1, -1).replace(/\\(.)/g, "$1")
  return dotString.test(content) ? content : quoted
}

/** The command with its local part in its shortest form. */
const withoutQuotes = (command: string): string =>
  command.replace(
    quotedPath,
    (_, before: string, quoted: string, after: string) => before + localPartOf(quoted) + after
  )

const unknownParameter = (command: "MAIL" | "RCPT") => `5.5.4 A ${command} parameter is not recognized`

const enhancedCode = /^[245]\.\d{1,3}\.\d{1,3} /

/** An SMTP session that refuses ambiguous syntax, which another server could parse differently. */
export class StrictConnection extends SMTPConnection {
  #refusals = 0
  #sessionTimer: NodeJS.Timeout | undefined

  /** Makes connections that end with 421 after `sessionTimeout` milliseconds. */
  static readonly withTimeout =
    (sessionTimeout: number) =>
    (...args: ConstructorParameters<typeof SMTPConnection>): StrictConnection => {
      const connection = new StrictConnection(...args)
      connection.#sessionTimer = setTimeout(
        () => connection.send(421, "4.4.2 Session timeout exceeded", false),
        sessionTimeout
      ).unref()
      return connection
    }

  /** AUTH requires TLS, except on loopback: others could read the password. */
  override _isSupported(command: string): boolean {
    return super._isSupported(command) && (command !== "AUTH" || this.secure || isLoopbackAddress(this.remoteAddress))
  }

  override _onClose(): void {
    clearTimeout(this.#sessionTimer)
    super._onClose()
  }

  /** Closes the connection if a command line ends with a bare CR or LF, before the command is parsed. */
  override _createParser(): SMTPStream {
    const parser = super._createParser()
    const write = parser._write.bind(parser)
    parser._write = (chunk, encoding, next) => {
      if (parser._dataMode || parser.isClosed) return write(chunk, encoding, next)
      const breaks = new LineBreaks()
      breaks.push(Buffer.from(parser._remainder, "binary"))
      breaks.push(chunk)
      if (!breaks.hasBare) return write(chunk, encoding, next)
      this.send(521, "5.5.2 Lines must end with CRLF")
      this.close()
      next()
    }
    return parser
  }

  /** Keeps an enhanced status code (RFC 3463) that `data` already has. Closes the connection after `maxRefusals` refusals. */
  override send(code: number, data?: string | Array<string> | null, context?: string | false): void {
    if (code >= 500) this.#refusals += 1
    if (code >= 500 && this.#refusals >= maxRefusals) super.send(421, "4.7.0 Too many errors", false)
    else super.send(code, data, typeof data === "string" && enhancedCode.test(data) ? false : context)
  }

  /**
   * Returns the address as the client sent it: the library's conversion of A-labels is not reversible. The library rejects
   * a quoted local part, which a reverse-path may have, so it parses a placeholder instead.
   */
  override _parseAddressCommand(
    rawName: string,
    rawCommand: Buffer | string
  ): ReturnType<SMTPConnection["_parseAddressCommand"]> {
    const original = rawCommand.toString()
    const [, before = "", quoted, after = ""] = quotedPath.exec(original) ?? []
    const command = quoted === undefined ? original : `${before}quoted${after}`
    const parsed = super._parseAddressCommand(rawName, command)
    const [, written, rest = ""] = /<(?:@[^:>]*:)?([^<>]*)>(.*)/s.exec(command) ?? []
    if (!parameters.test(rest)) return false
    if (parsed === false || written === undefined) return parsed
    if (written.includes('"')) return false
    const address = quoted === undefined ? written : localPartOf(quoted) + written.slice(written.lastIndexOf("@"))
    return { ...parsed, address }
  }

  /** Refuses parameters that were not offered (RFC 5321 section 4.1.1.11). Non-ASCII addresses are refused elsewhere. */
  override _validateMailParams(
    parsed: Parameters<SMTPConnection["_validateMailParams"]>[0]
  ): ReturnType<SMTPConnection["_validateMailParams"]> {
    const isOffered = (name: string) =>
      mailParameters.includes(name) || (name === utf8Parameter && this._server.options.hideSMTPUTF8 !== true)
    const unknown = Object.keys(parsed.args || {}).some((name) => !isOffered(name))
    return unknown && /^\p{ASCII}*$/u.test(parsed.address)
      ? { code: 555, message: unknownParameter("MAIL"), enhancedCode: null }
      : super._validateMailParams(parsed)
  }

  /** Refuses every RCPT parameter: the reply to EHLO offers none. */
  override handler_RCPT(line: Buffer, callback: () => void): void {
    const command = withoutQuotes(line.toString())
    const [, path, rest = ""] = /:\s*<([^>]+)>(.*)/s.exec(command) ?? []
    if (path !== undefined && path.toLowerCase() !== "postmaster" && !mailboxPath.test(path)) {
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
