import { defaultRetrySchedule, defaultWebhookRetrySchedule } from "@switchboard/domain/RetrySchedule"
import { defaultAuditRetention, defaultRetention } from "@switchboard/services/retention/RetentionSettings"
import { BigDecimal, Config, Context, Duration, Effect, Layer } from "effect"
import { distance } from "fastest-levenshtein"
import { httpSettings } from "./HttpSettings.js"
import { checkTls, inboundSettings, mailSettings, submissionSettings } from "./MailSettings.js"
import { checkOidc, oidcSettings } from "./OidcSettings.js"
import { outgoingSettings } from "./OutgoingSettings.js"
import { parsed, type Setting, type SettingDoc, secretSetting, setting, variablesOf, wholeNumber } from "./Setting.js"
import { decimal, duration, networks, optional, schedule, smsUrl, url, withDefault } from "./SettingValues.js"
import { checkS3, s3Settings, storageSettings } from "./StorageSettings.js"
import { telemetrySettings } from "./TelemetrySettings.js"
import { checkWhatsApp, whatsappSettings } from "./WhatsAppSettings.js"

/** Deduplication, rate limits and cost of sends. */
const sendingSettings = {
  dedupeWindow: setting(
    "DEDUPE_WINDOW",
    {
      type: "duration",
      default: "60 seconds",
      meaning: "how long an identical send without an idempotency key returns the earlier message; 0 seconds: off"
    },
    withDefault(parsed(duration), Duration.seconds(60))
  ),
  rateLimitRequests: setting(
    "RATE_LIMIT_REQUESTS",
    {
      type: "number",
      unit: "requests per second",
      default: "100",
      meaning: "requests per second of one organization, in bursts up to twice that; 0: no limit"
    },
    withDefault(wholeNumber(0, 1_000_000), 100)
  ),
  rateLimitSends: setting(
    "RATE_LIMIT_SENDS",
    {
      type: "number",
      unit: "messages per second",
      default: "50",
      meaning: "new messages per second of one organization, in bursts up to twice that; 0: no limit"
    },
    withDefault(wholeNumber(0, 1_000_000), 50)
  ),
  rateLimitFailures: setting(
    "RATE_LIMIT_FAILURES",
    {
      type: "number",
      unit: "failures per second",
      default: "10",
      meaning: "failed authentications per second of one address, in bursts up to twice that; 0: no limit"
    },
    withDefault(wholeNumber(0, 1_000_000), 10)
  ),
  redisUrl: secretSetting(
    "REDIS_URL",
    { type: "URL", default: "memory", meaning: "Redis in which several processes share the rate limits" },
    url(["redis:", "rediss:"])
  ),
  emailUnitCost: setting(
    "EMAIL_UNIT_COST",
    {
      type: "decimal",
      unit: "currency per recipient",
      default: "0",
      meaning: "cost of one recipient, in the organization's currency"
    },
    withDefault(decimal, BigDecimal.unsafeFromNumber(0))
  ),
  smsUnitCost: setting(
    "SMS_UNIT_COST",
    {
      type: "decimal",
      unit: "currency per segment",
      default: "0",
      meaning: "cost of one segment of a text message for one recipient, in the organization's currency"
    },
    withDefault(decimal, BigDecimal.unsafeFromNumber(0))
  ),
  whatsappUnitCost: setting(
    "WHATSAPP_UNIT_COST",
    {
      type: "decimal",
      unit: "currency per message",
      default: "0",
      meaning: "cost of one WhatsApp message, in the organization's currency"
    },
    withDefault(decimal, BigDecimal.unsafeFromNumber(0))
  ),
  smsUrl: secretSetting(
    "SMS_URL",
    {
      type: "URL",
      default: "the local handset; with SMTP_URL none",
      meaning:
        "the provider of text messages: smpp://SYSTEM_ID:PASSWORD@HOST:2775, smpps:// with TLS, or twilio+https://ACCOUNT:TOKEN@api.twilio.com"
    },
    smsUrl
  ),
  handsetPort: setting(
    "HANDSET_SMPP_PORT",
    {
      type: "port",
      default: "2775 without SMTP_URL and SMS_URL, otherwise no handset",
      meaning: "SMPP port of the local handset, on loopback; 0: a free port"
    },
    optional(wholeNumber(0, 65_535))
  )
}

/** Concurrency, leases and retries of the worker. */
const workSettings = {
  workerConcurrency: setting(
    "WORKER_CONCURRENCY",
    {
      type: "number",
      unit: "deliveries",
      default: "20; 200 with mx:",
      meaning:
        "maximum SMTP connections of one process to a relay, or to all mail servers, each with a mail in progress and the next one"
    },
    optional(wholeNumber(1, 1000))
  ),
  leaseDuration: setting(
    "LEASE_DURATION",
    {
      type: "duration",
      default: "60 seconds",
      meaning: "how long a worker leases a message; after that another worker may attempt it"
    },
    withDefault(parsed(duration), Duration.seconds(60))
  ),
  retrySchedule: setting(
    "RETRY_SCHEDULE",
    {
      type: "durations",
      default: "30 seconds, 2 minutes, 10 minutes, 30 minutes, 1 hour, 2 hours, 4 hours, 8 hours",
      meaning: "delays before each retry of a deferred message"
    },
    withDefault(schedule, [...defaultRetrySchedule])
  ),
  shutdownGrace: setting(
    "SHUTDOWN_GRACE",
    { type: "duration", default: "25 seconds", meaning: "how long a stopping process waits for work in progress" },
    withDefault(parsed(duration), Duration.seconds(25))
  ),
  webhookRetrySchedule: setting(
    "WEBHOOK_RETRY_SCHEDULE",
    {
      type: "durations",
      default: "5 seconds, 5 minutes, 30 minutes, 2 hours, 5 hours, 10 hours, 14 hours, 20 hours, 24 hours",
      meaning: "delays before each retry of a webhook"
    },
    withDefault(schedule, [...defaultWebhookRetrySchedule])
  ),
  networkAllow: setting(
    "NETWORK_ALLOW",
    {
      type: "CIDRs",
      default: "none",
      meaning: "private networks that webhooks, also over http, and with mx: mail may reach, comma-separated"
    },
    withDefault(networks, [])
  )
}

/** Retention periods. */
const retentionSettings = {
  retentionMessageBodies: setting(
    "RETENTION_MESSAGE_BODIES",
    {
      type: "duration",
      default: "forever",
      meaning: "how long HTML, text and attachments of messages are stored after sending has ended"
    },
    optional(parsed(duration))
  ),
  retentionEvents: setting(
    "RETENTION_EVENTS",
    {
      type: "duration",
      default: "forever",
      meaning:
        "how long events (after their webhooks) and the logs of forwarding and blocks are stored, also DMARC and TLS reports (400 days by default); statistics of periods that are not multiples of 15 minutes need events"
    },
    optional(parsed(duration))
  ),
  retentionWebhookAttempts: setting(
    "RETENTION_WEBHOOK_ATTEMPTS",
    {
      type: "duration",
      default: "30 days",
      meaning: "how long webhook attempts and completed webhook deliveries are stored"
    },
    withDefault(parsed(duration), defaultRetention)
  ),
  retentionKeyActivity: setting(
    "RETENTION_KEY_ACTIVITY",
    {
      type: "duration",
      default: "30 days",
      meaning: "how long the activity of API keys is stored"
    },
    withDefault(parsed(duration), defaultRetention)
  ),
  retentionAudit: setting(
    "RETENTION_AUDIT",
    {
      type: "duration",
      default: "400 days",
      meaning: "how long the entries of the audit log are stored"
    },
    withDefault(parsed(duration), defaultAuditRetention)
  ),
  retentionInboundRaw: setting(
    "RETENTION_INBOUND_RAW",
    {
      type: "duration",
      default: "forever",
      meaning: "how long received mails are stored as raw MIME after processing; at most as long as message bodies"
    },
    optional(parsed(duration))
  )
}

/** All settings, in the order of docs/settings.md. */
const settings = {
  ...httpSettings,
  ...oidcSettings,
  ...storageSettings,
  ...outgoingSettings,
  ...mailSettings,
  ...inboundSettings,
  ...submissionSettings,
  ...sendingSettings,
  ...whatsappSettings,
  ...workSettings,
  ...retentionSettings,
  ...s3Settings,
  ...telemetrySettings
}

type Values = { readonly [K in keyof typeof settings]: (typeof settings)[K] extends Setting<infer A> ? A : never }

/** Reads and validates all settings. */
const load: Config.Config<Values> = Config.all(settings).pipe(
  Config.mapOrFail(checkS3),
  Config.mapOrFail(checkWhatsApp),
  Config.mapOrFail(checkOidc),
  Config.mapOrFail(checkTls)
)

/** The settings of the process, read from the environment once at the start. */
export class Settings extends Context.Tag("server/Settings")<Settings, Values>() {
  static readonly Live = Layer.effect(Settings, load)

  /** A layer that depends on the settings. */
  static readonly layer = <A, E, R>(make: (settings: Values) => Layer.Layer<A, E, R>) =>
    Layer.unwrapEffect(Effect.map(Settings, make))
}

/** The description of every setting, for `--help` and docs/settings.md. */
export const settingDocs: ReadonlyArray<SettingDoc> = Object.values(settings).map(({ doc }) => doc)

/** A name that differs in more characters is not a typing error. */
const maxDistance = 2

/** The variables of an environment that are no settings but differ little from one, with that setting's variable. */
export const unknownVariables = (
  environment: Readonly<Record<string, unknown>>,
  known: ReadonlyArray<string>
): ReadonlyArray<readonly [unknown: string, meant: string]> =>
  Object.keys(environment)
    // Names without "_", such as PORT and HOST, are short: others are often close to them.
    .filter((name) => name.includes("_") && !known.includes(name))
    .flatMap((name) => {
      const meant = known.find((one) => one.includes("_") && distance(name, one) <= maxDistance)
      return meant === undefined ? [] : [[name, meant] as const]
    })

/** Warns of variables whose names are probably settings with a typing error: their values have no effect. */
export const warnOfUnknownVariables = Effect.suspend(() =>
  Effect.forEach(
    unknownVariables(process.env, settingDocs.flatMap(variablesOf)),
    ([unknown, meant]) => Effect.logWarning(`${unknown} is not a setting: did you mean ${meant}?`),
    { discard: true }
  )
)
