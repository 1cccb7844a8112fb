import { isIP } from "node:net"
import { MailboxAddress, MailboxServer } from "@switchboard/channels/mailbox/MailboxServer"
import { RelayRoutes } from "@switchboard/channels/messages/RelayRoutes"
import type { SmtpRoutes } from "@switchboard/channels/messages/SmtpRoutes"
import { RawRelaySmtp, SmtpTransport } from "@switchboard/channels/messages/SmtpTransport"
import { RelaySettings, smtpRelay, smtpTimeouts } from "@switchboard/channels/smtp/client/SmtpRelay"
import type { MxOptions } from "@switchboard/channels/smtp/mx/Destination"
import { MailServers } from "@switchboard/channels/smtp/mx/MailServers"
import { MxRoutes, MxSettings } from "@switchboard/channels/smtp/mx/MxRoutes"
import { MxTlsSettings, TlsPoliciesLive } from "@switchboard/channels/smtp/mx/TlsPolicies"
import { Complaints } from "@switchboard/services/email/feedback/Feedback"
import { ForwardingOwner } from "@switchboard/services/email/forwarding/ForwardPath"
import { MailboxComplaints } from "@switchboard/services/mailbox/MailboxComplaints"
import { Destinations } from "@switchboard/services/messages/delivery/Destinations"
import { ProviderBreakers } from "@switchboard/services/messages/delivery/ProviderBreaker"
import { Array, Effect, Layer, Option, Redacted } from "effect"
import { relayTls } from "../settings/RelayTls.js"
import { workerConcurrency } from "../settings/ServiceSettings.js"
import { Settings } from "../settings/Settings.js"
import { type RelayUrl, SmtpServers } from "../settings/SmtpServers.js"

/** The connection settings of the relay at a URL. */
export const relayOf = (settings: typeof Settings.Service, url: RelayUrl["url"]) =>
  smtpRelay({
    url,
    tls: relayTls(settings.smtpTls, url),
    hostname: settings.mailHostname,
    timeouts: smtpTimeouts(settings.smtpTimeout)
  })

/** The connection settings of relays. */
export const RelaySettingsOf = (relays: Array.NonEmptyReadonlyArray<RelayUrl>) =>
  Layer.effect(
    RelaySettings,
    Effect.map(Settings, (settings) => ({
      relays: Array.map(relays, ({ url, ...relay }) => ({ ...relay, ...relayOf(settings, url) })),
      connections: workerConcurrency(settings)
    }))
  )

/** Sends over relays. */
const overRelays = (relays: Array.NonEmptyReadonlyArray<RelayUrl>) =>
  Layer.provide(RelayRoutes, RelaySettingsOf(relays))

/** Sends over the local mailbox, which this layer starts. */
const OverMailbox = Layer.unwrapEffect(
  Effect.map(MailboxAddress, ({ host, port }) =>
    overRelays([{ url: Redacted.make(`smtp://${host}:${port}`), priority: 0, weight: 1, domains: [] }])
  )
).pipe(
  Layer.provide(MailboxServer),
  Layer.provide(Layer.merge(ForwardingOwner.Default, Layer.provide(MailboxComplaints.Default, Complaints.Default)))
)

/** The settings of sessions with mail servers. */
export const mxOptions = (settings: typeof Settings.Service): MxOptions => ({
  session: {
    hostname: Option.getOrElse(settings.mxHostname, () => settings.mailHostname),
    port: settings.mxPort,
    timeouts: smtpTimeouts(settings.smtpTimeout)
  },
  sourceAddresses: settings.mxSourceAddresses.map((address) => ({ address, family: isIP(address) === 6 ? 6 : 4 })),
  concurrency: settings.mxConcurrency
})

/** Sends to the mail servers of the recipients. */
const Direct = Settings.layer((settings) =>
  Layer.provide(
    MxRoutes,
    Layer.merge(
      MailServers.layer(settings.mxPort).pipe(
        Layer.provide(TlsPoliciesLive),
        Layer.provide(Layer.succeed(MxTlsSettings, { mxTls: settings.mxTls }))
      ),
      Layer.succeed(MxSettings, mxOptions(settings))
    )
  )
)

type RoutesLayer = Layer.Layer<
  SmtpRoutes,
  Layer.Layer.Error<typeof OverMailbox>,
  Layer.Layer.Context<typeof OverMailbox | typeof Direct>
>

const Routes = Settings.layer(
  ({ smtpUrl }): RoutesLayer =>
    Option.match(smtpUrl, {
      onNone: (): RoutesLayer => OverMailbox,
      onSome: (servers) =>
        SmtpServers.$match(Redacted.value(servers), {
          Relays: ({ relays }): RoutesLayer => overRelays(relays),
          Direct: (): RoutesLayer => Direct
        })
    })
)

/** Sends messages and forwarded mail as `SMTP_URL` says; without it to the local mailbox. */
export const RelayLive = Layer.merge(SmtpTransport, RawRelaySmtp).pipe(
  Layer.provide(Routes),
  Layer.provide(Layer.merge(ProviderBreakers.Default, Destinations.Default))
)
