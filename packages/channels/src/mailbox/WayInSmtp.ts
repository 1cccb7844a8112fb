import { WayIn } from "@switchboard/services/mailbox/WayIn"
import { RelayUnavailable } from "@switchboard/services/messages/delivery/MailTransport"
import { Duration, Effect, Layer, Option } from "effect"
import { mimeMessage } from "../messages/MimeMessage.js"
import { sendOverSmtp, smtpEnvelope } from "../messages/SendOverSmtp.js"
import type { SmtpEnvelope } from "../smtp/client/SmtpEnvelope.js"
import { SmtpPool } from "../smtp/client/SmtpPool.js"
import { smtpTimeouts } from "../smtp/client/SmtpTimeouts.js"
import { InboundDestination } from "./InboundDestination.js"

/** How long the service's own server may take. */
const limit = Duration.seconds(10)

/** A server that listens on every address is reached over loopback. */
const reachable = (host: string): string => (host === "0.0.0.0" ? "127.0.0.1" : host === "::" ? "::1" : host)

const unknown = new RelayUnavailable({ response: "This process does not know where mail comes in" })

/** Brings each mail over a connection of its own, as another server does. */
export const WayInSmtp = Layer.effect(
  WayIn,
  Effect.gen(function* () {
    const destination = yield* InboundDestination

    const bring = Effect.fnUntraced(function* (envelope: SmtpEnvelope, octets: Uint8Array) {
      const found = yield* destination.get
      if (Option.isNone(found)) return yield* unknown
      const { host, port } = found.value
      return yield* Effect.acquireUseRelease(
        Effect.sync(
          () =>
            new SmtpPool(
              {
                host: reachable(host),
                port,
                implicitTls: false,
                // The server's certificate is not verified: both ends are one service.
                tls: "opportunistic",
                hostname: "mailbox.localhost.test",
                credentials: null,
                timeouts: { ...smtpTimeouts(limit), dot: limit }
              },
              1
            )
        ),
        (pool) => sendOverSmtp(pool, envelope, octets),
        (pool) => Effect.sync(() => pool.close())
      )
    })

    return {
      bring: (mail) => Effect.flatMap(mimeMessage(mail), (octets) => bring(smtpEnvelope(mail), octets)),
      bringWritten: ({ mailFrom, raw, rcptTo }) => bring({ mailFrom, rcptTo }, raw)
    }
  })
)
