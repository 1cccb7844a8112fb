import { SMTPConnection } from "smtp-server/lib/smtp-connection.js"
import type { SMTPStream } from "smtp-server/lib/smtp-stream.js"
import { LineBreaks } from "./LineBreaks.js"

/** After so many refusals a client is sent away. */
const mostRefusals = 10

/** One local part at one domain, and nothing that asks for more: no percent hack, bang path, source route, quotes or address literal. */
const plainPath = /^[^\s"%!:,@[\]\\<>()]+@[^\s"%!:,@[\]\\<>()]+$/

/** After a path come parameters (RFC 5321 section 4.1.2), and no second path. */
const parameters = /^(?:\s+[a-z0-9][a-z0-9-]*(?:=[\x21-\x7e]*)?)*\s*$/i

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

  /** The address as it was written: what the library makes of A-labels can't be turned back for certain. */
  override _parseAddressCommand(
    rawName: string,
    rawCommand: Buffer | string
  ): ReturnType<SMTPConnection["_parseAddressCommand"]> {
    const parsed = super._parseAddressCommand(rawName, rawCommand)
    const [, written, after = ""] = /<(?:@[^:>]*:)?([^<>]*)>(.*)/s.exec(rawCommand.toString()) ?? []
    if (!parameters.test(after)) return false
    return parsed === false || written === undefined ? parsed : { ...parsed, address: written }
  }

  override handler_RCPT(command: Buffer, callback: () => void): void {
    const path = /:\s*<([^>]+)>/.exec(command.toString())?.[1]
    if (path === undefined || path.toLowerCase() === "postmaster" || plainPath.test(path)) {
      super.handler_RCPT(command, callback)
    } else {
      this.send(550, "5.7.1 Relaying is denied")
      callback()
    }
  }
}
