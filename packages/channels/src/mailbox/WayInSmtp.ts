import { WayIn } from "@switchboard/services/mailbox/WayIn"
import {
  type MailDeferred,
  type MailReceipt,
  type MailRefused,
  RelayUnavailable
} from "@switchboard/services/messages/MailTransport"
import { Duration, Effect, Layer, Option } from "effect"
import { createTransport, type SendMailOptions } from "nodemailer"
import { mimeMessage } from "../messages/MimeMessage.js"
import { smtpMail } from "../messages/SmtpMail.js"
import { failureOf, receiptOf } from "../messages/SmtpReplies.js"
import { InboundDestination } from "./InboundDestination.js"

/** How long the service's own server is waited for. */
const patience = Duration.toMillis("10 seconds")

/** What listens everywhere is reached on this machine. */
const reachable = (host: string): string => (host === "0.0.0.0" ? "127.0.0.1" : host === "::" ? "::1" : host)

const unknown = new RelayUnavailable({ response: "This process does not know where mail comes in" })

/** Brings each mail over a connection of its own, as a stranger's server does. */
export const WayInSmtp = Layer.effect(
  WayIn,
  Effect.gen(function* () {
    const destination = yield* InboundDestination

    const bring = Effect.fnUntraced(function* (mail: SendMailOptions) {
      const found = yield* destination
      if (Option.isNone(found)) return yield* unknown
      const { host, port } = found.value
      const transport = createTransport({
        host: reachable(host),
        port,
        name: "mailbox.localhost.test",
        disableFileAccess: true,
        disableUrlAccess: true,
        // Its certificate is its own, and both are one service.
        tls: { rejectUnauthorized: false },
        connectionTimeout: patience,
        greetingTimeout: patience,
        socketTimeout: patience
      })
      return yield* Effect.async<MailReceipt, MailRefused | MailDeferred | RelayUnavailable>((resume) => {
        transport.sendMail(mail, (error, sent) =>
          resume(error === null ? Effect.succeed(receiptOf(sent)) : failureOf(error, true))
        )
      })
    })

    const named = (address: string) => ({ name: "", address })

    return {
      bring: (mail) => Effect.flatMap(mimeMessage(mail), (raw) => bring(smtpMail(mail, raw))),
      bringWritten: ({ mailFrom, raw, rcptTo }) =>
        bring({ envelope: { from: named(mailFrom), to: rcptTo.map(named) }, raw: Buffer.from(raw) })
    }
  })
)
