import { Effect } from "effect"
import PostalMime, { type Email } from "postal-mime"
import { SMTPServer } from "smtp-server"

/** A mail that the relay accepted. */
export interface RelayedMail {
  readonly mailFrom: string
  readonly rcptTo: ReadonlyArray<string>
  readonly smtpUtf8: boolean
  readonly raw: string
  readonly parsed: Email
  readonly at: number
}

interface Sink {
  readonly port: number
  readonly mails: Array<RelayedMail>
  /** Recipients of all RCPT commands in order, whether accepted or not. */
  readonly rcptTo: Array<string>
  readonly server: SMTPServer
}

const smtpError = (responseCode: number, message: string) => Object.assign(new Error(message), { responseCode })

/**
 * A test relay. The local part chooses the reply: `perm550` is refused, `temp451` deferred, `data451` and `data554`
 * fail the mail after DATA, `hang` gets no reply, all others are accepted.
 */
const sink = (offers: { readonly dsn: boolean; readonly smtpUtf8: boolean }) =>
  Effect.acquireRelease(
    Effect.async<Sink>((resume) => {
      const mails: Array<RelayedMail> = []
      const requested: Array<string> = []
      const server = new SMTPServer({
        authOptional: true,
        disabledCommands: ["STARTTLS", "AUTH"],
        hideDSN: !offers.dsn,
        hideSMTPUTF8: !offers.smtpUtf8,
        onRcptTo: ({ address }, _, callback) => {
          requested.push(address)
          if (address.startsWith("hang")) return
          if (address.startsWith("perm550")) return callback(smtpError(550, "5.1.1 no such user"))
          callback(address.startsWith("temp451") ? smtpError(451, "4.7.1 later") : null)
        },
        onData: (stream, session, callback) => {
          const chunks: Array<Buffer> = []
          stream.on("data", (chunk: Buffer) => chunks.push(chunk))
          stream.on("end", () => {
            const rcptTo = session.envelope.rcptTo.map(({ address }) => address)
            const mailFrom = session.envelope.mailFrom
            if (rcptTo.some((address) => address.startsWith("data451"))) return callback(smtpError(451, "4.3.0 later"))
            if (rcptTo.some((address) => address.startsWith("data554"))) return callback(smtpError(554, "5.6.0 no"))
            const raw = Buffer.concat(chunks)
            void PostalMime.parse(raw).then((parsed) => {
              mails.push({
                mailFrom: mailFrom ? mailFrom.address : "",
                rcptTo,
                smtpUtf8: session.envelope.smtpUtf8 === true,
                raw: raw.toString(),
                parsed,
                at: performance.now()
              })
              callback(null)
            })
          })
        }
      })
      server.on("error", () => undefined)
      server.listen(0, "127.0.0.1", () => {
        const address = server.server.address()
        resume(
          Effect.succeed({
            port: typeof address === "object" && address !== null ? address.port : 0,
            mails,
            rcptTo: requested,
            server
          })
        )
      })
    }),
    ({ server }) => Effect.async<void>((resume) => void server.close(() => resume(Effect.void)))
  )

/** A relay that offers delivery status notifications (RFC 3461). */
export const smtpSink = sink({ dsn: true, smtpUtf8: true })

/** A relay without delivery status notifications, like most mailbox providers. */
export const smtpSinkWithoutDsn = sink({ dsn: false, smtpUtf8: true })

/** A relay without internationalized mail (RFC 6531). */
export const smtpSinkWithoutUtf8 = sink({ dsn: true, smtpUtf8: false })
