import { RawRelay } from "@switchboard/services/email/forwarding/RawRelay"
import { MailTransport } from "@switchboard/services/messages/delivery/MailTransport"
import { ProviderUnavailable } from "@switchboard/services/messages/delivery/Provider"
import { Effect, Layer } from "effect"
import { SmtpConnection } from "../smtp/client/SmtpConnection.js"
import { RelaySettings, relayName, type SmtpRelay } from "../smtp/client/SmtpRelay.js"
import { failureResponse, type SmtpFailure } from "../smtp/client/SmtpReply.js"
import { openSession } from "../smtp/client/SmtpSession.js"
import { mimeMessage } from "./MimeMessage.js"
import { relayPool, sendLeased, smtpEnvelope } from "./SendOverSmtp.js"

const maxConnections = 4

/** Forwards raw mail unchanged to the relay. Its own connection pool keeps it from waiting behind messages. */
export const RawRelaySmtp = Layer.scoped(
  RawRelay,
  Effect.gen(function* () {
    const pool = yield* relayPool(yield* RelaySettings, maxConnections, "forwards")
    return {
      send: ({ mailFrom, raw, rcptTo }, lease) => sendLeased(pool, { mailFrom, rcptTo: [rcptTo] }, raw, lease)
    }
  })
)

/** Opens a session (EHLO, STARTTLS, AUTH) without a mail; returns the extensions that the relay offers. */
const probeRelay = (relay: SmtpRelay) =>
  Effect.async<{ readonly extensions: ReadonlyArray<string> }, ProviderUnavailable>((resume) => {
    const failed = (failure: SmtpFailure) => resume(new ProviderUnavailable({ response: failureResponse(failure) }))
    const connection = new SmtpConnection(relay, { lost: failed, stalled: () => undefined })
    openSession(connection, (failure, offered) => {
      if (failure !== null) return connection.fail(failure)
      connection.quit()
      resume(Effect.succeed({ extensions: [...offered].map((extension) => extension.join(" ").trim()) }))
    })
    return Effect.sync(() => connection.destroy())
  }).pipe(
    Effect.timeoutFail({
      duration: "15 seconds",
      onTimeout: () => new ProviderUnavailable({ response: "No reply within 15 seconds" })
    })
  )

/** Sends messages through one relay over a pool of persistent connections. */
export const SmtpTransport = Layer.scoped(
  MailTransport,
  Effect.gen(function* () {
    const relay = yield* RelaySettings
    const pool = yield* relayPool(relay, relay.connections, "messages")
    return {
      relay: relayName(relay),
      send: (mail, lease) =>
        Effect.flatMap(mimeMessage(mail), (octets) => sendLeased(pool, smtpEnvelope(mail), octets, lease)),
      probe: probeRelay(relay)
    }
  })
)
