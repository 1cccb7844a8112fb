import {
  type MailDeferred,
  type MailReceipt,
  type MailRefused,
  MailTransport,
  type OutgoingMail,
  type RelayUnavailable
} from "@switchboard/services/messages/MailTransport"
import { Effect, Layer } from "effect"
import { createTransport } from "nodemailer"
import { mimeMessage } from "./MimeMessage.js"
import { relayOptions, type SmtpTransportOptions, standardTimeouts } from "./RelayOptions.js"
import { relaySocket } from "./RelaySocket.js"
import { smtpMail } from "./SmtpMail.js"
import { probeRelay } from "./SmtpProbe.js"
import { failureOf, receiptOf } from "./SmtpReplies.js"

/** An open connection that the relay has closed meanwhile costs no attempt: the mail goes out over another. */
const mostReconnects = 2

/** Sends through one relay, over connections that are kept open. */
export const SmtpTransport = (options: SmtpTransportOptions) =>
  Layer.scoped(
    MailTransport,
    Effect.gen(function* () {
      const relay = relayOptions(options)
      /** The sends whose transaction has begun, by what would end them. */
      const begun = new WeakSet<AbortSignal>()
      const transport = yield* Effect.acquireRelease(
        Effect.sync(() =>
          createTransport({
            pool: true,
            maxConnections: options.connections,
            maxMessages: 1_000,
            maxRequeues: mostReconnects,
            disableFileAccess: true,
            disableUrlAccess: true,
            getSocket: relaySocket((options.timeouts ?? standardTimeouts).connection),
            ...relay
          })
        ),
        (pool) => Effect.sync(() => pool.close({ force: true }))
      )
      transport.use("stream", ({ data, message }, done) => {
        // The mail is read when the relay has let us in, and not before.
        message.processFunc((mime) => {
          if (data.signal !== undefined) begun.add(data.signal)
          // Over a second connection, the library would still find what the first one said of the sender.
          Object.assign(message.getEnvelope(), { mailError: undefined })
          return mime
        })
        done()
      })

      /** An interrupted send leaves the queue, or takes its connection with it. */
      const send = (mail: OutgoingMail) =>
        Effect.flatMap(mimeMessage(mail), (raw) =>
          Effect.async<MailReceipt, MailRefused | MailDeferred | RelayUnavailable>((resume, signal) => {
            transport.sendMail({ ...smtpMail(mail, raw), signal }, (error, sent) =>
              resume(error === null ? Effect.succeed(receiptOf(sent)) : failureOf(error, begun.has(signal)))
            )
          })
        )

      return { relay: `${relay.host}:${relay.port}`, send, probe: probeRelay(relay) }
    })
  )
