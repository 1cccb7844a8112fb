import { MailTransport } from "@switchboard/services/messages/MailTransport"
import { Effect, Layer } from "effect"
import type { SmtpRelay } from "../smtp/client/SmtpRelay.js"
import { mimeMessage } from "./MimeMessage.js"
import { relayPool } from "./RelayPool.js"
import { sendOverSmtp, smtpEnvelope } from "./SendOverSmtp.js"
import { probeRelay } from "./SmtpProbe.js"

/** Sends through one relay, over connections that are kept open. */
export const SmtpTransport = (relay: SmtpRelay, connections: number) =>
  Layer.scoped(
    MailTransport,
    Effect.map(relayPool(relay, connections, "messages"), (pool) => ({
      relay: `${relay.host}:${relay.port}`,
      send: (mail) => Effect.flatMap(mimeMessage(mail), (octets) => sendOverSmtp(pool, smtpEnvelope(mail), octets)),
      probe: probeRelay(relay)
    }))
  )
