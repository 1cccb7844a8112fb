import { RawRelay } from "@switchboard/services/email/forwarding/RawRelay"
import type {
  MailDeferred,
  MailReceipt,
  MailRefused,
  RelayUnavailable
} from "@switchboard/services/messages/MailTransport"
import { Effect, Layer } from "effect"
import { createTransport } from "nodemailer"
import { relayOptions, type SmtpTransportOptions, standardTimeouts } from "./RelayOptions.js"
import { relaySocket } from "./RelaySocket.js"
import { failureOf, receiptOf } from "./SmtpReplies.js"

/** Whether a relay must be told that not all octets are ASCII (RFC 6152). */
const hasEighthBit = (raw: Uint8Array): boolean => raw.some((octet) => octet > 0x7f)

/** Hands mail of others to the relay, octet by octet, over connections of its own: it must not wait behind ours. */
export const RawRelaySmtp = (options: SmtpTransportOptions) =>
  Layer.scoped(
    RawRelay,
    Effect.gen(function* () {
      const begun = new WeakSet<AbortSignal>()
      const transport = yield* Effect.acquireRelease(
        Effect.sync(() =>
          createTransport({
            pool: true,
            maxConnections: options.connections,
            maxMessages: 1_000,
            maxRequeues: 2,
            disableFileAccess: true,
            disableUrlAccess: true,
            getSocket: relaySocket((options.timeouts ?? standardTimeouts).connection),
            ...relayOptions(options)
          })
        ),
        (pool) => Effect.sync(() => pool.close({ force: true }))
      )
      transport.use("stream", ({ data, message }, done) => {
        // The mail is read when the relay has let us in, and not before.
        message.processFunc((mime) => {
          if (data.signal !== undefined) begun.add(data.signal)
          Object.assign(message.getEnvelope(), { mailError: undefined })
          return mime
        })
        done()
      })

      return {
        send: ({ mailFrom, raw, rcptTo }) =>
          Effect.async<MailReceipt, MailRefused | MailDeferred | RelayUnavailable>((resume, signal) => {
            const envelope = {
              from: { name: "", address: mailFrom },
              to: [{ name: "", address: rcptTo }],
              ...(hasEighthBit(raw) ? { use8BitMime: true } : {})
            }
            transport.sendMail(
              { envelope, raw: Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength), signal },
              (error, sent) =>
                resume(error === null ? Effect.succeed(receiptOf(sent)) : failureOf(error, begun.has(signal)))
            )
          })
      }
    })
  )
