import { Effect } from "effect"
import { SMTPServer, type SMTPServerOptions, type SMTPServerSession } from "smtp-server"

/** What came in, as the server's own library read it. */
export interface Delivered {
  readonly raw: Buffer
  readonly envelope: SMTPServerSession["envelope"]
  readonly secure: boolean
  readonly user: unknown
}

/** An SMTP server that takes everything, on a free port. */
export const smtpSink = (options: SMTPServerOptions = {}) =>
  Effect.gen(function* () {
    const mails: Array<Delivered> = []
    const server = new SMTPServer({
      authOptional: true,
      disableReverseLookup: true,
      hideDSN: false,
      logger: false,
      closeTimeout: 100,
      onData: (stream, { envelope, secure, user }, callback) => {
        const chunks: Array<Buffer> = []
        stream.on("data", (chunk: Buffer) => chunks.push(chunk))
        stream.on("end", () => {
          mails.push({ raw: Buffer.concat(chunks), envelope, secure, user })
          callback(null)
        })
      },
      ...options
    })
    // A client that does not like our certificate hangs up.
    server.on("error", () => undefined)
    yield* Effect.acquireRelease(
      Effect.async<void>((resume) => void server.listen(0, "127.0.0.1", () => resume(Effect.void))),
      () => Effect.async<void>((resume) => server.close(() => resume(Effect.void)))
    )
    const address = server.server.address()
    return { mails, port: typeof address === "object" && address !== null ? address.port : 0 }
  })
