import { MailboxAddress, MailboxServer } from "@switchboard/channels/mailbox/MailboxServer"
import { RawRelaySmtp } from "@switchboard/channels/messages/RawRelaySmtp"
import { SmtpTransport } from "@switchboard/channels/messages/SmtpTransport"
import { RelaySettings, smtpRelay, smtpTimeouts } from "@switchboard/channels/smtp/client/SmtpRelay"
import { Complaints } from "@switchboard/services/email/feedback/Complaints"
import { ForwardingOwner } from "@switchboard/services/email/forwarding/ForwardingOwner"
import { MailboxComplaints } from "@switchboard/services/mailbox/MailboxComplaints"
import { Effect, Layer, Option, Redacted } from "effect"
import { relayTls } from "../settings/RelayTls.js"
import { Settings } from "../settings/Settings.js"

/** The URL of the local mailbox. */
const mailboxUrl = Effect.map(MailboxAddress, ({ host, port }) => Redacted.make(`smtp://${host}:${port}`))
const MailboxLive = MailboxServer.pipe(
  Layer.provide(ForwardingOwner.Default),
  Layer.provide(MailboxComplaints.Default),
  Layer.provide(Complaints.Default)
)

/** The connection settings of the relay at a URL. */
export const relayOf = (settings: typeof Settings.Service, url: Redacted.Redacted<string>) =>
  smtpRelay({
    url,
    tls: relayTls(settings.smtpTls, url),
    hostname: settings.mailHostname,
    timeouts: smtpTimeouts(settings.smtpTimeout)
  })

/** The relay at a URL, for messages and for forwarded mail. */
export const relayAt = (url: Redacted.Redacted<string>) =>
  Layer.provide(
    Layer.merge(SmtpTransport, RawRelaySmtp),
    Layer.effect(
      RelaySettings,
      Effect.map(Settings, (settings) => ({
        ...relayOf(settings, url),
        connections: settings.workerConcurrency
      }))
    )
  )

/** The relay of `SMTP_URL`; without it the local mailbox, which this layer starts. */
export const RelayLive = Settings.layer(({ smtpUrl }) =>
  Option.match(smtpUrl, {
    onSome: relayAt,
    onNone: () => Layer.unwrapEffect(Effect.map(mailboxUrl, relayAt)).pipe(Layer.provide(MailboxLive))
  })
)
