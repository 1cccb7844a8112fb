import { hostname } from "node:os"
import { MailboxAddress, MailboxServer } from "@switchboard/channels/mailbox/MailboxServer"
import { WayInSmtp } from "@switchboard/channels/mailbox/WayInSmtp"
import { RawRelaySmtp } from "@switchboard/channels/messages/RawRelaySmtp"
import { SmtpTransport } from "@switchboard/channels/messages/SmtpTransport"
import { smtpRelay } from "@switchboard/channels/smtp/client/SmtpRelay"
import { smtpTimeouts } from "@switchboard/channels/smtp/client/SmtpTimeouts"
import { SigningKeys } from "@switchboard/services/email/domains/SigningKeys"
import { Complaints } from "@switchboard/services/email/feedback/Complaints"
import { ForwardingOwner } from "@switchboard/services/email/forwarding/ForwardingOwner"
import { Forwards } from "@switchboard/services/email/forwarding/Forwards"
import { Deliveries } from "@switchboard/services/messages/Deliveries"
import { DeliveryConfirmation } from "@switchboard/services/messages/DeliveryConfirmation"
import { OutgoingMails } from "@switchboard/services/messages/OutgoingMails"
import { RelayBreaker } from "@switchboard/services/messages/RelayBreaker"
import { SecretBox } from "@switchboard/services/SecretBox"
import { Signatures } from "@switchboard/services/Signatures"
import { ForwardingWorker } from "@switchboard/worker/email/forwarding/ForwardingWorker"
import { DeliveryWorker } from "@switchboard/worker/messages/DeliveryWorker"
import { WorkerConfig } from "@switchboard/worker/WorkerConfig"
import { Duration, Effect, Layer, Option, Redacted } from "effect"
import { v7 } from "uuid"
import type { Settings } from "../Settings.js"
import { relayTls } from "../settings/RelayTls.js"
import { MailRoutingLive } from "./EmailDomains.js"
import { PublicUrlLive } from "./PublicUrlLive.js"
import { SendSettingsLive } from "./UseCases.js"

const loopback = "127.0.0.1"

/** Connections at a time for mail that goes on. */
const forwardingConnections = 4

/** Messages taken, and settled, in one transaction at most. */
const batch = 40

/** A relay: for messages, and for forwarded mail. */
export const Relay = (settings: Settings, url: Redacted.Redacted<string>) => {
  const relay = smtpRelay({
    url,
    tls: relayTls(settings.smtpTls, url),
    hostname: settings.mailHostname,
    timeouts: smtpTimeouts(settings.smtpTimeout)
  })
  return Layer.merge(SmtpTransport(relay, settings.workerConcurrency), RawRelaySmtp(relay, forwardingConnections))
}

const MailboxLive = ({ mailboxSmtpPort }: Settings) =>
  MailboxServer({ host: loopback, port: mailboxSmtpPort }).pipe(
    Layer.provide(Layer.mergeAll(Complaints.Default, ForwardingOwner.Default, WayInSmtp))
  )

/** The way out: the relay of the settings, or the local mailbox, which starts with it. */
export const Transport = (settings: Settings) =>
  Option.match(settings.smtpUrl, {
    onSome: (url) => Relay(settings, url),
    onNone: () =>
      Layer.unwrapEffect(
        Effect.map(MailboxAddress, ({ host, port }) => Relay(settings, Redacted.make(`smtp://${host}:${port}`)))
      ).pipe(Layer.provide(MailboxLive(settings)))
  })

/** How this process works, and its name towards the others. */
export const WorkerConfigLive = ({ leaseDuration, shutdownGrace, workerConcurrency }: Settings) =>
  Layer.sync(WorkerConfig, () => ({
    worker: `${hostname()}:${process.pid}:${v7()}`,
    concurrency: workerConcurrency,
    batch,
    idle: Duration.seconds(1),
    lease: leaseDuration,
    grace: shutdownGrace
  }))

/** The fibers that deliver, and those that send on what came in. */
export const Delivery = (settings: Settings) =>
  Layer.merge(
    DeliveryWorker.pipe(Layer.provide(Deliveries.Default)),
    ForwardingWorker.pipe(Layer.provide(Forwards.Default), Layer.provide(MailRoutingLive(settings)))
  ).pipe(
    Layer.provide(Layer.mergeAll(OutgoingMails.Default, RelayBreaker.Default, Transport(settings))),
    Layer.provide(SigningKeys.Default.pipe(Layer.provide(SecretBox.Live))),
    Layer.provide(PublicUrlLive(settings)),
    Layer.provide(SendSettingsLive(settings)),
    Layer.provide(
      Layer.succeed(
        DeliveryConfirmation,
        Option.getOrElse(settings.smtpConfirmation, () => (Option.isSome(settings.smtpUrl) ? "dsn" : "accept"))
      )
    ),
    Layer.provide(Signatures.Live)
  )
