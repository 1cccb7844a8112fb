import { Effect } from "effect"
import PostalMime, { type Email } from "postal-mime"
import { SMTPServer } from "smtp-server"

/** A mail as the sink took it. */
export interface SunkMail {
  readonly mailFrom: string
  readonly rcptTo: ReadonlyArray<string>
  readonly raw: string
  readonly parsed: Email
  readonly at: number
}

interface Sink {
  readonly port: number
  readonly mails: Array<SunkMail>
  /** Every recipient that anybody wanted to send to, in order, whatever the answer was. */
  readonly asked: Array<string>
  readonly server: SMTPServer
}

const answer = (responseCode: number, message: string) => Object.assign(new Error(message), { responseCode })

/**
 * A relay that is not ours, steered by the local part: `perm550` is refused, `temp451` deferred, `data451` and
 * `data554` fail the mail as a whole, `hang` gets no reply, all others are taken.
 */
const sink = (offers: { readonly dsn: boolean }) =>
  Effect.acquireRelease(
    Effect.async<Sink>((resume) => {
      const mails: Array<SunkMail> = []
      const asked: Array<string> = []
      const server = new SMTPServer({
        authOptional: true,
        disabledCommands: ["STARTTLS", "AUTH"],
        hideDSN: !offers.dsn,
        onRcptTo: ({ address }, _, callback) => {
          asked.push(address)
          if (address.startsWith("hang")) return
          if (address.startsWith("perm550")) return callback(answer(550, "5.1.1 no such user"))
          callback(address.startsWith("temp451") ? answer(451, "4.7.1 later") : null)
        },
        onData: (stream, session, callback) => {
          const chunks: Array<Buffer> = []
          stream.on("data", (chunk: Buffer) => chunks.push(chunk))
          stream.on("end", () => {
            const rcptTo = session.envelope.rcptTo.map(({ address }) => address)
            const mailFrom = session.envelope.mailFrom
            if (rcptTo.some((address) => address.startsWith("data451"))) return callback(answer(451, "4.3.0 later"))
            if (rcptTo.some((address) => address.startsWith("data554"))) return callback(answer(554, "5.6.0 no"))
            const raw = Buffer.concat(chunks)
            void PostalMime.parse(raw).then((parsed) => {
              mails.push({
                mailFrom: mailFrom ? mailFrom.address : "",
                rcptTo,
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
            asked,
            server
          })
        )
      })
    }),
    ({ server }) => Effect.async<void>((resume) => void server.close(() => resume(Effect.void)))
  )

/** A sink that offers delivery status notifications (RFC 3461), as a relay does. */
export const smtpSink = sink({ dsn: true })

/** A sink that does not offer them, as most mailbox providers do not. */
export const smtpSinkWithoutDsn = sink({ dsn: false })
