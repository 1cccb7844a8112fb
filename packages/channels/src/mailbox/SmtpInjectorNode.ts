import { SmtpInjector } from "@switchboard/services/mailbox/SmtpInjector"
import { ProviderUnavailable } from "@switchboard/services/messages/delivery/Provider"
import { Context, Duration, Effect, Layer, Option } from "effect"
import type { InboundAddress } from "../email/receiving/InboundServer.js"
import { mimeMessage } from "../messages/MimeMessage.js"
import { sendOverSmtp, smtpEnvelope } from "../messages/SendOverSmtp.js"
import type { SmtpEnvelope } from "../smtp/client/SmtpMail.js"
import { SmtpPool } from "../smtp/client/SmtpPool.js"
import { oneServer } from "../smtp/client/SmtpPoolOptions.js"
import { smtpTimeouts } from "../smtp/client/SmtpRelay.js"

/** The address of the inbound SMTP server; none until it listens in this process. */
export class InboundDestination extends Context.Tag("channels/InboundDestination")<
  InboundDestination,
  {
    readonly get: Effect.Effect<Option.Option<typeof InboundAddress.Service>>
    readonly set: (address: typeof InboundAddress.Service) => Effect.Effect<void>
  }
>() {}

const timeout = Duration.seconds(10)

/** The address to connect to: loopback for a server that listens on every address. */
const reachable = (host: string): string => (host === "0.0.0.0" ? "127.0.0.1" : host === "::" ? "::1" : host)

const noDestination = new ProviderUnavailable({ response: "No inbound SMTP server listens in this process" })

/** Injects each mail into the inbound SMTP server over a new connection, as a remote server would. */
export const SmtpInjectorNode = Layer.effect(
  SmtpInjector,
  Effect.gen(function* () {
    const destination = yield* InboundDestination

    const inject = Effect.fnUntraced(function* (envelope: SmtpEnvelope, octets: Uint8Array) {
      const found = yield* destination.get
      if (Option.isNone(found)) return yield* noDestination
      const { host, port } = found.value
      return yield* Effect.acquireUseRelease(
        Effect.sync(
          () =>
            new SmtpPool({
              nextServer: oneServer({
                host: reachable(host),
                port,
                implicitTls: false,
                // The server's certificate is not verified: both ends are one service.
                tls: "opportunistic",
                hostname: "mailbox.localhost.test",
                tlsa: [],
                credentials: null,
                timeouts: { ...smtpTimeouts(timeout), dot: timeout }
              }),
              connections: () => 1
            })
        ),
        (pool) => sendOverSmtp(pool, envelope, octets),
        (pool) => Effect.sync(() => pool.close())
      )
    })

    return {
      inject: (mail) => Effect.flatMap(mimeMessage(mail), (octets) => inject(smtpEnvelope(mail), octets)),
      injectComposed: ({ mailFrom, raw, rcptTo }) => inject({ mailFrom, rcptTo }, raw)
    }
  })
)
