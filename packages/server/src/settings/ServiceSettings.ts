import { hostname } from "node:os"
import { HttpSettings } from "@switchboard/api/http/HttpContext"
import { InboundSettings } from "@switchboard/channels/email/receiving/InboundServer"
import { SubmissionSettings } from "@switchboard/channels/email/submission/SubmissionServer"

import { HandsetCloudSettings } from "@switchboard/channels/handset/HandsetCloudApi"
import { HandsetSettings } from "@switchboard/channels/handset/HandsetServer"
import { MailboxSettings } from "@switchboard/channels/mailbox/MailboxServer"
import { NetworkSettings } from "@switchboard/channels/network/NetworkPolicy"
import { DomainPauseBounds } from "@switchboard/services/email/domains/DomainPauses"
import { MailRouting } from "@switchboard/services/email/domains/DomainRepo"
import { HandsetEnabled } from "@switchboard/services/handset/HandsetPhone"

import { MailboxEnabled } from "@switchboard/services/mailbox/Mailbox"
import { DeliveryConfirmation, RemoteRelay } from "@switchboard/services/messages/delivery/MailTransport"
import { SendSettings } from "@switchboard/services/messages/SendContext"
import { PublicUrl } from "@switchboard/services/PublicUrl"
import { RateLimitSettings } from "@switchboard/services/rateLimits/RateLimits"
import { RetentionSettings } from "@switchboard/services/retention/RetentionSettings"
import { PublicSubmission } from "@switchboard/services/sessions/Sessions"
import { WebhookSettings } from "@switchboard/services/webhooks/delivery/WebhookTransport"
import { WorkerConfig } from "@switchboard/worker/QueueWork"
import { Context, Duration, Effect, Layer, Option, Redacted } from "effect"
import { v7 } from "uuid"
import { baseUrl, publicHost } from "./BaseUrl.js"
import { inboundCertificate, submissionCertificate } from "./MailSettings.js"
import { Settings } from "./Settings.js"
import { isDirect, leavesMachine } from "./SmtpServers.js"

/** The address of the local mailbox and the local handset. */
export const loopback = "127.0.0.1"

const defaultHandsetPort = 2775

/** The port of the local handset; none with a provider, or with a relay unless `HANDSET_SMPP_PORT` is set. */
export const handsetPort = ({
  handsetPort: port,
  smsUrl,
  smtpUrl
}: Pick<typeof Settings.Service, "handsetPort" | "smsUrl" | "smtpUrl">): Option.Option<number> =>
  Option.isSome(smsUrl)
    ? Option.none()
    : Option.orElse(port, () => (Option.isNone(smtpUrl) ? Option.some(defaultHandsetPort) : Option.none()))

/** The default of Postfix's default_destination_concurrency_limit. */
const defaultConcurrency = 20

/** More with direct delivery: a slow destination uses a few of them. */
const defaultDirectConcurrency = 200

/** The maximum number of connections for messages. */
export const workerConcurrency = ({
  smtpUrl,
  workerConcurrency: concurrency
}: Pick<typeof Settings.Service, "smtpUrl" | "workerConcurrency">): number =>
  Option.getOrElse(concurrency, () =>
    Option.exists(smtpUrl, (servers) => isDirect(Redacted.value(servers)))
      ? defaultDirectConcurrency
      : defaultConcurrency
  )

/** Maximum messages that one transaction leases or settles. */
const maxBatch = 100

/** Port 0 turns a listener of submission off. */
const enabledPort = Option.liftPredicate((port: number) => port !== 0)

/** Where programs submit mail, as they reach it. */
const publicSubmission = (settings: typeof Settings.Service): typeof PublicSubmission.Service => {
  const port = Option.getOrUndefined(enabledPort(settings.submissionPort))
  const tlsPort = Option.getOrUndefined(enabledPort(settings.submissionsPort))
  if (port === undefined && tlsPort === undefined) return Option.none()
  const host = publicHost(settings.submissionHost, baseUrl(settings))
  return Option.some({ host, port, tlsPort, startTls: Option.isSome(submissionCertificate(settings)) })
}

/** The settings as each package reads them. */
export const ServiceSettings = Layer.effectContext(
  Effect.map(Settings, (settings) => {
    const publicUrl = Option.map(settings.publicUrl, Redacted.value)
    const servers = Option.map(settings.smtpUrl, Redacted.value)
    const { dedupeWindow, emailUnitCost, retrySchedule, smsUnitCost, whatsappUnitCost } = settings
    return Context.make(SendSettings, {
      dedupeWindow,
      emailUnitCost,
      smsUnitCost,
      whatsappUnitCost,
      retrySchedule
    }).pipe(
      Context.add(WebhookSettings, { retrySchedule: settings.webhookRetrySchedule }),
      Context.add(RateLimitSettings, {
        requests: settings.rateLimitRequests,
        sends: settings.rateLimitSends,
        failures: settings.rateLimitFailures
      }),
      Context.add(RetentionSettings, {
        messageBodies: settings.retentionMessageBodies,
        events: settings.retentionEvents,
        inboundRaw: settings.retentionInboundRaw,
        webhookAttempts: settings.retentionWebhookAttempts,
        keyActivity: settings.retentionKeyActivity,
        audit: settings.retentionAudit
      }),
      Context.add(DomainPauseBounds, {
        bounceRate: settings.domainPauseBounceRate,
        complaintRate: settings.domainPauseComplaintRate,
        minMessages: settings.domainPauseMinMessages
      }),
      Context.add(PublicUrl, baseUrl(settings)),
      Context.add(MailRouting, {
        mailHostname: settings.mailHostname,
        spfInclude: Option.getOrNull(settings.spfInclude),
        publicHost: new URL(baseUrl(settings)).hostname
      }),
      Context.add(MailboxEnabled, Option.isNone(settings.smtpUrl)),
      Context.add(HandsetEnabled, Option.isSome(handsetPort(settings))),
      Context.add(RemoteRelay, Option.exists(servers, leavesMachine)),
      Context.add(
        DeliveryConfirmation,
        Option.getOrElse(settings.smtpConfirmation, () =>
          Option.exists(servers, ({ _tag }) => _tag === "Relays") ? "dsn" : "accept"
        )
      ),
      Context.add(HttpSettings, {
        trustedProxies: settings.trustedProxies,
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
      Context.add(SubmissionSettings, {
        host: settings.submissionHost,
        hostname: settings.mailHostname,
        port: enabledPort(settings.submissionPort),
        tlsPort: enabledPort(settings.submissionsPort),
        certificate: submissionCertificate(settings)
      }),
      Context.add(PublicSubmission, publicSubmission(settings)),
      Context.add(HandsetSettings, { host: loopback, port: Option.getOrElse(handsetPort(settings), () => 0) }),
      Context.add(HandsetCloudSettings, { host: loopback, port: settings.handsetHttpPort }),
      Context.add(MailboxSettings, { host: loopback, port: settings.mailboxSmtpPort }),
      Context.add(NetworkSettings, { allow: settings.networkAllow, dnsServers: settings.dnsServers }),
      Context.add(WorkerConfig, {
        worker: `${hostname()}:${process.pid}:${v7()}`,
        concurrency: workerConcurrency(settings),
        batch: maxBatch,
        idle: Duration.seconds(5),
        lease: settings.leaseDuration,
        grace: settings.shutdownGrace
      })
    )
  })
)
