import { hostname } from "node:os"
import { HttpSettings } from "@switchboard/api/http/HttpContext"
import { InboundSettings } from "@switchboard/channels/email/receiving/InboundServer"
import { HandsetSettings } from "@switchboard/channels/handset/HandsetServer"
import { MailboxSettings } from "@switchboard/channels/mailbox/MailboxServer"
import { NetworkSettings } from "@switchboard/channels/network/NetworkPolicy"
import { MailRouting } from "@switchboard/services/email/domains/DomainRepo"
import { HandsetEnabled } from "@switchboard/services/handset/HandsetEnabled"
import { MailboxEnabled } from "@switchboard/services/mailbox/Mailbox"
import { DeliveryConfirmation, RemoteRelay } from "@switchboard/services/messages/delivery/MailTransport"
import { SendSettings } from "@switchboard/services/messages/SendContext"
import { PublicUrl } from "@switchboard/services/PublicUrl"
import { RateLimitSettings } from "@switchboard/services/rateLimits/RateLimits"
import { RetentionSettings } from "@switchboard/services/retention/RetentionSettings"
import { WebhookSettings } from "@switchboard/services/webhooks/delivery/WebhookTransport"
import { WorkerConfig } from "@switchboard/worker/QueueWork"
import { Context, Duration, Effect, Layer, Option, Redacted } from "effect"
import { v7 } from "uuid"
import { baseUrl } from "./BaseUrl.js"
import { inboundCertificate } from "./MailSettings.js"
import { isRemote } from "./RelayTls.js"
import { Settings } from "./Settings.js"

/** The address of the local mailbox and the local handset. */
export const loopback = "127.0.0.1"

/** Maximum messages that one transaction leases or settles. */
const maxBatch = 100

/** The settings as each package reads them. */
export const ServiceSettings = Layer.effectContext(
  Effect.map(Settings, (settings) => {
    const publicUrl = Option.map(settings.publicUrl, Redacted.value)
    const { dedupeWindow, emailUnitCost, retrySchedule, smsUnitCost } = settings
    return Context.make(SendSettings, { dedupeWindow, emailUnitCost, retrySchedule, smsUnitCost }).pipe(
      Context.add(WebhookSettings, { retrySchedule: settings.webhookRetrySchedule }),
      Context.add(RateLimitSettings, { requests: settings.rateLimitRequests, sends: settings.rateLimitSends }),
      Context.add(RetentionSettings, {
        messageBodies: settings.retentionMessageBodies,
        events: settings.retentionEvents,
        inboundRaw: settings.retentionInboundRaw,
        webhookAttempts: settings.retentionWebhookAttempts,
        keyActivity: settings.retentionKeyActivity
      }),
      Context.add(PublicUrl, baseUrl(settings)),
      Context.add(MailRouting, {
        mailHostname: settings.mailHostname,
        spfInclude: Option.getOrNull(settings.spfInclude)
      }),
      Context.add(MailboxEnabled, Option.isNone(settings.smtpUrl)),
      Context.add(HandsetEnabled, Option.isNone(settings.smsUrl)),
      Context.add(RemoteRelay, Option.exists(settings.smtpUrl, isRemote)),
      Context.add(
        DeliveryConfirmation,
        Option.getOrElse(settings.smtpConfirmation, () => (Option.isSome(settings.smtpUrl) ? "dsn" : "accept"))
      ),
      Context.add(HttpSettings, {
        trustedProxies: settings.trustedProxies,
        failedAuthentications: settings.rateLimitFailures,
        accessLog: settings.accessLog,
        bodyMemory: settings.bodyMemory * 1024 * 1024,
        corsOrigins: settings.corsOrigins,
        secureCookies: Option.exists(publicUrl, (url) => url.startsWith("https:"))
      }),
      Context.add(InboundSettings, {
        host: settings.host,
        port: settings.inboundSmtpPort,
        hostname: settings.mailHostname,
        certificate: inboundCertificate(settings)
      }),
      Context.add(HandsetSettings, { host: loopback, port: settings.handsetPort }),
      Context.add(MailboxSettings, { host: loopback, port: settings.mailboxSmtpPort }),
      Context.add(NetworkSettings, { allow: settings.networkAllow, dnsServers: settings.dnsServers }),
      Context.add(WorkerConfig, {
        worker: `${hostname()}:${process.pid}:${v7()}`,
        concurrency: settings.workerConcurrency,
        batch: maxBatch,
        idle: Duration.seconds(5),
        lease: settings.leaseDuration,
        grace: settings.shutdownGrace
      })
    )
  })
)
