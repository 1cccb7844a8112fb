import { addressDomain } from "@switchboard/domain/email/EmailAddress"
import { RawRelay } from "@switchboard/services/email/forwarding/RawRelay"
import { MailTransport, RelayProbes } from "@switchboard/services/messages/delivery/MailTransport"
import { ProviderUnavailable } from "@switchboard/services/messages/delivery/Provider"
import { Effect, Layer } from "effect"
import { SmtpConnection } from "../smtp/client/SmtpConnection.js"
import { RelaySettings, relayName, type SmtpRelay } from "../smtp/client/SmtpRelay.js"
import { failureResponse, type SmtpFailure } from "../smtp/client/SmtpReply.js"
import { openSession } from "../smtp/client/SmtpSession.js"
import { mimeMessage } from "./MimeMessage.js"
import { smtpEnvelope } from "./SendOverSmtp.js"
import { SmtpRoutes } from "./SmtpRoutes.js"

/** Forwards raw mail unchanged. */
export const RawRelaySmtp = Layer.effect(
  RawRelay,
  Effect.map(SmtpRoutes, ({ forwards }) => ({
    send: ({ mailFrom, raw, rcptTo }, lease) =>
      Effect.flatMap(forwards(addressDomain(mailFrom), [rcptTo]), ([routed]) =>
        routed === undefined
          ? new ProviderUnavailable({ response: "There is no route to the recipient" })
          : routed.route.send({ mailFrom, rcptTo: [rcptTo] }, raw, lease)
      )
  }))
)

/** Opens a session (EHLO, STARTTLS, AUTH) without a mail; returns the extensions that the server offers. */
export const probeServer = (relay: SmtpRelay) =>
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

/** Probes the configured relays. */
export const RelayProbesSmtp = Layer.effect(
  RelayProbes,
  Effect.map(RelaySettings, ({ relays }) =>
    relays.map((relay) => ({ relay: relayName(relay), probe: probeServer(relay) }))
  )
)

/** Sends messages over pools of persistent connections. */
export const SmtpTransport = Layer.effect(
  MailTransport,
  Effect.map(SmtpRoutes, ({ admission, messages }) => ({
    routesTo: (senderDomain, recipients) =>
      Effect.map(messages(senderDomain, recipients), (routed) =>
        routed.map(({ recipients: own, route }) => ({
          recipients: own,
          route: {
            ...route,
            send: (mail, lease) =>
              Effect.flatMap(mimeMessage(mail), (octets) => route.send(smtpEnvelope(mail), octets, lease))
          }
        }))
      ),
    admission
  }))
)
