import { RelayRoutes } from "@switchboard/channels/messages/RelayRoutes"
import { probeServer, SmtpTransport } from "@switchboard/channels/messages/SmtpTransport"
import { RelaySettings, type SmtpRelay, smtpRelay, smtpTimeouts } from "@switchboard/channels/smtp/client/SmtpRelay"
import { MessageId } from "@switchboard/domain/messages/Message"
import { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { MailTransport, type OutgoingMail, RelayFaults } from "@switchboard/services/messages/delivery/MailTransport"
import {
  type ProviderReply,
  ProviderUnavailable,
  type SendDeferred,
  type SendLease,
  SendPostponed,
  type SendRefused,
  SendWithdrawn
} from "@switchboard/services/messages/delivery/Provider"
import { ProviderBreakers } from "@switchboard/services/messages/delivery/ProviderBreaker"
import { databaseTimeFactor } from "@switchboard/services/RequestDeadline"
import { Context, DateTime, Duration, Effect, Layer, Redacted } from "effect"

export const organizationId = OrganizationId.make("0192f0c1-2345-7abc-8def-0123456789ab")
export const messageId = MessageId.make("0192f0c1-2345-7abc-8def-0123456789ff")

/** A valid outgoing mail, with changes. */
export const outgoing = (changes: Partial<OutgoingMail> = {}): OutgoingMail => ({
  mailFrom: "shop@example.com",
  rcptTo: ["ada@example.org"],
  envelopeId: messageId,
  notify: false,
  messageId: `<${messageId}@example.com>`,
  date: DateTime.unsafeMake("2026-03-01T12:34:56Z"),
  from: { name: "The Shop", address: "shop@example.com" },
  to: ["ada@example.org"],
  cc: [],
  names: {},
  replyTo: [],
  subject: "Hello",
  html: "<p>Hello</p>",
  text: "Hello",
  headers: {},
  submitted: null,
  needsSmtpUtf8: false,
  attachments: [],
  dkim: null,
  ...changes
})

/** The settings of a relay on a local port. */
export const relayAt = (
  port: number,
  { url = `smtp://127.0.0.1:${port}`, ...options }: Partial<SmtpRelay> & { readonly url?: string } = {}
): SmtpRelay => ({
  ...smtpRelay({
    url: Redacted.make(url),
    tls: "opportunistic",
    hostname: "sender.test",
    timeouts: smtpTimeouts(Duration.seconds(30))
  }),
  ...options
})

type RelayOptions = Parameters<typeof relayAt>[1] & {
  readonly connections?: number
  readonly recordFault?: (relay: string) => Effect.Effect<void>
}

/** The settings of one relay. */
export const onlyRelay = (relay: SmtpRelay, connections: number): typeof RelaySettings.Service => ({
  relays: [{ ...relay, priority: 0, weight: 1, domains: [] }],
  connections
})

/** An SmtpTransport to a relay on a local port. */
export const leasedTransportTo = (
  port: number,
  { connections = 2, recordFault = () => Effect.void, ...relay }: RelayOptions = {}
) =>
  Layer.build(SmtpTransport.pipe(Layer.provide(RelayRoutes), Layer.provide(ProviderBreakers.Default))).pipe(
    Effect.map(Context.get(MailTransport)),
    Effect.map(({ routesTo }) => ({
      probe: probeServer(relayAt(port, relay)),
      /** Sends over the only route. */
      send: (mail: OutgoingMail, lease: SendLease) =>
        Effect.flatMap(routesTo("example.com", mail.rcptTo), ([routed]) =>
          routed === undefined ? new ProviderUnavailable({ response: "no route" }) : routed.route.send(mail, lease)
        )
    })),
    Effect.provideService(RelaySettings, onlyRelay(relayAt(port, relay), connections)),
    Effect.provideService(RelayFaults, { record: recordFault, find: () => Effect.succeedNone })
  )

/** A lease that always holds. */
export const heldLease: SendLease = { organizationId, isHeld: () => true }

/** Sends with a lease that always holds. */
export const withHeldLease =
  <Mail, A, E extends { readonly _tag: string }>(
    send: (mail: Mail, lease: SendLease) => Effect.Effect<A, E | SendWithdrawn | SendPostponed>
  ) =>
  (mail: Mail) =>
    Effect.catchIf(
      send(mail, heldLease),
      (error) => error instanceof SendWithdrawn || error instanceof SendPostponed,
      (error) => Effect.die(error)
    )

/** An SmtpTransport to a relay on a local port, for mails whose leases always hold. */
export const transportTo = (port: number, options: RelayOptions = {}) =>
  Effect.map(leasedTransportTo(port, options), (transport) => ({
    ...transport,
    send: withHeldLease<OutgoingMail, ProviderReply, SendRefused | SendDeferred | ProviderUnavailable>(transport.send)
  }))

/** All timeouts are 300 ms, and longer on a slow machine. */
const short = Duration.millis(Math.ceil(300 * databaseTimeFactor))
export const shortTimeouts = { ...smtpTimeouts(short), dot: short }
