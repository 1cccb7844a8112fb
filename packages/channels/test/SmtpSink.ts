import { Effect } from "effect"
import { SMTPServer, type SMTPServerOptions, type SMTPServerSession } from "smtp-server"

/** A received mail, as the server library parsed it. */
export interface ReceivedMail {
  readonly raw: Buffer
  readonly envelope: SMTPServerSession["envelope"]
  readonly secure: boolean
  readonly user: unknown
}

/** An SMTP server on a free port that accepts every mail. */
export const smtpSink = (options: SMTPServerOptions = {}) =>
  Effect.gen(function* () {
    const mails: Array<ReceivedMail> = []
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
    // A client that does not trust the certificate closes the connection.
    server.on("error", () => undefined)
    yield* Effect.acquireRelease(
      Effect.async<void>((resume) => void server.listen(0, "127.0.0.1", () => resume(Effect.void))),
      () => Effect.async<void>((resume) => server.close(() => resume(Effect.void)))
    )
    const address = server.server.address()
    return { mails, port: typeof address === "object" && address !== null ? address.port : 0 }
  })
