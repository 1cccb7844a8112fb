import { defaultRetrySchedule } from "@switchboard/domain/messages/RetrySchedule"
import { defaultWebhookRetrySchedule } from "@switchboard/domain/webhooks/WebhookOutcome"
import { keptUnlessTold } from "@switchboard/services/retention/RetentionSettings"
import { BigDecimal, Config, Duration, LogLevel } from "effect"
import { checkInboundTls } from "./InboundSettings.js"
import { checkS3 } from "./S3Settings.js"
import { parsed, type Setting, type SettingDoc, setting, wholeNumber } from "./Setting.js"
import {
  apiKey,
  cidrs,
  decimal,
  duration,
  list,
  logLevel,
  masterKey,
  nameServers,
  networks,
  oneOf,
  optional,
  schedule,
  url,
  withDefault
} from "./SettingValues.js"

/** Every setting, in the order in which the table shows them. */
const settings = {
  host: setting(
    "HOST",
    { type: "address", default: "127.0.0.1", meaning: "the address to listen on" },
    withDefault(Config.nonEmptyString, "127.0.0.1")
  ),
  port: setting(
    "PORT",
    { type: "port", default: "3000", meaning: "the port to listen on; 0 takes a free one" },
    withDefault(wholeNumber(0, 65_535), 3000)
  ),
  publicUrl: setting(
    "PUBLIC_URL",
    { type: "URL", default: "http://HOST:PORT", meaning: "where callers reach this service: links are built from it" },
    optional(url(["http:", "https:"]))
  ),
  trustedProxies: setting(
    "TRUSTED_PROXIES",
    { type: "CIDRs", default: "none", meaning: "proxies whose X-Forwarded-For is believed, with commas" },
    withDefault(cidrs, [])
  ),
  corsOrigins: setting(
    "CORS_ORIGINS",
    { type: "origins", default: "none", meaning: "web origins that browsers may call from, with commas" },
    withDefault(list, [])
  ),
  dataDir: setting(
    "DATA_DIR",
    { type: "path", default: ".data", meaning: "where the embedded database, objects and the master key are kept" },
    withDefault(Config.nonEmptyString, ".data")
  ),
  databaseUrl: setting(
    "DATABASE_URL",
    {
      type: "URL",
      default: "the embedded PostgreSQL",
      meaning: "a PostgreSQL 15 or newer: postgres://user:password@host/db"
    },
    optional(url(["postgres:", "postgresql:"]))
  ),
  databasePoolSize: setting(
    "DATABASE_POOL_SIZE",
    { type: "number", default: "10", meaning: "database connections of one process" },
    withDefault(wholeNumber(2, 1000), 10)
  ),
  masterKey: setting(
    "MASTER_KEY",
    {
      type: "base64",
      default: "made at the first start, kept in DATA_DIR",
      meaning: "32 bytes or more; signs and encrypts, the same on every process"
    },
    optional(masterKey)
  ),
  bootstrapApiKey: setting(
    "BOOTSTRAP_API_KEY",
    { type: "API key", default: "a fresh one, shown once", meaning: "the admin key that the first start makes" },
    optional(apiKey)
  ),
  smtpUrl: setting(
    "SMTP_URL",
    {
      type: "URL",
      default: "the local mailbox",
      meaning: "the relay for outgoing mail: smtp://user:password@host:587"
    },
    optional(url(["smtp:", "smtps:"]))
  ),
  smtpTls: setting(
    "SMTP_TLS",
    {
      type: "opportunistic, require",
      default: "opportunistic",
      meaning: "STARTTLS if it is offered, or verified TLS or nothing"
    },
    withDefault(oneOf("opportunistic", "require"), "opportunistic")
  ),
  smtpConfirmation: setting(
    "SMTP_CONFIRMATION",
    {
      type: "accept, dsn",
      default: "dsn for SMTP_URL, accept for the local mailbox",
      meaning: "what a relay's 250 means: delivered, or sent until a notification comes (RFC 3461)"
    },
    optional(oneOf("accept", "dsn"))
  ),
  mailHostname: setting(
    "MAIL_HOSTNAME",
    {
      type: "host name",
      default: "localhost",
      meaning: "the name that EHLO gives, and to which the MX records of domains lead"
    },
    withDefault(Config.nonEmptyString, "localhost")
  ),
  spfInclude: setting(
    "SPF_INCLUDE",
    {
      type: "host name",
      default: "MAIL_HOSTNAME's own addresses send",
      meaning: "whose SPF record names the addresses that mail leaves from: the relay's"
    },
    optional(Config.nonEmptyString)
  ),
  dnsServers: setting(
    "DNS_SERVERS",
    {
      type: "addresses with ports",
      default: "the system's",
      meaning: "name servers that are asked for the records of domains and the hosts of webhooks, with commas"
    },
    withDefault(nameServers, [])
  ),
  mailboxSmtpPort: setting(
    "MAILBOX_SMTP_PORT",
    { type: "port", default: "1025", meaning: "where the local mailbox listens; 0 takes a free one" },
    withDefault(wholeNumber(0, 65_535), 1025)
  ),
  inboundSmtpPort: setting(
    "INBOUND_SMTP_PORT",
    { type: "port", default: "2525", meaning: "where mail comes in, on HOST; 0 takes a free one" },
    withDefault(wholeNumber(0, 65_535), 2525)
  ),
  inboundTlsCert: setting(
    "INBOUND_TLS_CERT",
    { type: "path", default: "no TLS", meaning: "the certificate, in PEM, that STARTTLS shows to whoever brings mail" },
    optional(Config.nonEmptyString)
  ),
  inboundTlsKey: setting(
    "INBOUND_TLS_KEY",
    { type: "path", default: "no TLS", meaning: "the key of INBOUND_TLS_CERT" },
    optional(Config.nonEmptyString)
  ),
  dedupeWindow: setting(
    "DEDUPE_WINDOW",
    {
      type: "duration",
      default: "60 seconds",
      meaning: "how long the same send without an idempotency key is taken for a repetition; 0 seconds turns it off"
    },
    withDefault(parsed(duration), Duration.seconds(60))
  ),
  rateLimitRequests: setting(
    "RATE_LIMIT_REQUESTS",
    {
      type: "number",
      default: "100",
      meaning: "requests a second of one organization, bursts of twice that; 0 is off"
    },
    withDefault(wholeNumber(0, 1_000_000), 100)
  ),
  rateLimitSends: setting(
    "RATE_LIMIT_SENDS",
    {
      type: "number",
      default: "50",
      meaning: "new messages a second of one organization, bursts of twice that; 0 is off"
    },
    withDefault(wholeNumber(0, 1_000_000), 50)
  ),
  redisUrl: setting(
    "REDIS_URL",
    { type: "URL", default: "memory", meaning: "where several processes share the rate limits" },
    optional(url(["redis:", "rediss:"]))
  ),
  workerConcurrency: setting(
    "WORKER_CONCURRENCY",
    { type: "number", default: "10", meaning: "deliveries at a time, and SMTP connections, of one process" },
    withDefault(wholeNumber(1, 1000), 10)
  ),
  leaseDuration: setting(
    "LEASE_DURATION",
    { type: "duration", default: "60 seconds", meaning: "how soon the messages of a lost worker are taken over" },
    withDefault(parsed(duration), Duration.seconds(60))
  ),
  retrySchedule: setting(
    "RETRY_SCHEDULE",
    {
      type: "durations",
      default: "30 seconds, 2 minutes, 10 minutes, 30 minutes, 1 hour, 2 hours, 4 hours, 8 hours",
      meaning: "the waits before each retry of a deferred message"
    },
    withDefault(schedule, [...defaultRetrySchedule])
  ),
  shutdownGrace: setting(
    "SHUTDOWN_GRACE",
    { type: "duration", default: "25 seconds", meaning: "how long a stopping process lets work end" },
    withDefault(parsed(duration), Duration.seconds(25))
  ),
  webhookRetrySchedule: setting(
    "WEBHOOK_RETRY_SCHEDULE",
    {
      type: "durations",
      default: "5 seconds, 5 minutes, 30 minutes, 2 hours, 5 hours, 10 hours, 14 hours, 20 hours, 24 hours",
      meaning: "the waits before a webhook is tried again"
    },
    withDefault(schedule, [...defaultWebhookRetrySchedule])
  ),
  networkAllow: setting(
    "NETWORK_ALLOW",
    {
      type: "CIDRs",
      default: "none",
      meaning: "networks besides the public ones that webhooks may lead to, also over http, with commas"
    },
    withDefault(networks, [])
  ),
  emailUnitCost: setting(
    "EMAIL_UNIT_COST",
    { type: "decimal", default: "0", meaning: "what one recipient costs, in the organization's currency" },
    withDefault(decimal, BigDecimal.unsafeFromNumber(0))
  ),
  retentionMessageBodies: setting(
    "RETENTION_MESSAGE_BODIES",
    {
      type: "duration",
      default: "for ever",
      meaning: "how long html, text and files of messages are kept, once nobody sends them any more"
    },
    optional(parsed(duration))
  ),
  retentionEvents: setting(
    "RETENTION_EVENTS",
    {
      type: "duration",
      default: "for ever",
      meaning:
        "how long events are kept, once webhooks were told; statistics of a part of a quarter of an hour need them"
    },
    optional(parsed(duration))
  ),
  retentionWebhookAttempts: setting(
    "RETENTION_WEBHOOK_ATTEMPTS",
    {
      type: "duration",
      default: "30 days",
      meaning: "how long attempts of webhooks are kept, and deliveries that ended"
    },
    withDefault(parsed(duration), keptUnlessTold)
  ),
  retentionKeyActivity: setting(
    "RETENTION_KEY_ACTIVITY",
    { type: "duration", default: "30 days", meaning: "how long it is kept what API keys were used for" },
    withDefault(parsed(duration), keptUnlessTold)
  ),
  retentionInboundRaw: setting(
    "RETENTION_INBOUND_RAW",
    {
      type: "duration",
      default: "for ever",
      meaning: "how long mails are kept as they came in, once they are messages; no longer than their bodies"
    },
    optional(parsed(duration))
  ),
  s3Endpoint: setting(
    "S3_ENDPOINT",
    { type: "URL", default: "Amazon's, of S3_REGION", meaning: "the S3 that keeps objects: attachments, documents" },
    optional(url(["http:", "https:"]))
  ),
  s3Bucket: setting(
    "S3_BUCKET",
    {
      type: "name",
      default: "files in DATA_DIR",
      meaning: "the bucket for objects; processes on several machines need one"
    },
    optional(Config.nonEmptyString)
  ),
  s3Region: setting(
    "S3_REGION",
    { type: "name", default: "us-east-1", meaning: "the bucket's region" },
    optional(Config.nonEmptyString)
  ),
  s3AccessKeyId: setting(
    "S3_ACCESS_KEY_ID",
    { type: "text", default: "none", meaning: "who asks for objects of the bucket" },
    optional(Config.nonEmptyString)
  ),
  s3SecretAccessKey: setting(
    "S3_SECRET_ACCESS_KEY",
    { type: "text", default: "none", meaning: "the secret of S3_ACCESS_KEY_ID" },
    optional((name) => Config.redacted(Config.nonEmptyString(name)))
  ),
  metricsPort: setting(
    "METRICS_PORT",
    { type: "port", default: "PORT", meaning: "where /metrics is served, apart from the API" },
    optional(wholeNumber(0, 65_535))
  ),
  otlpEndpoint: setting(
    "OTEL_EXPORTER_OTLP_ENDPOINT",
    { type: "URL", default: "off", meaning: "an OpenTelemetry collector (OTLP over HTTP) for traces" },
    optional(url(["http:", "https:"]))
  ),
  logLevel: setting(
    "LOG_LEVEL",
    { type: "debug, info, warning, error, none", default: "info", meaning: "the least that is logged" },
    withDefault((name) => Config.map(oneOf("debug", "info", "warning", "error", "none")(name), logLevel), LogLevel.Info)
  ),
  logFormat: setting(
    "LOG_FORMAT",
    { type: "pretty, json", default: "pretty on a terminal, else json", meaning: "how logs are written" },
    optional(oneOf("pretty", "json"))
  )
}

type Values = { readonly [K in keyof typeof settings]: (typeof settings)[K] extends Setting<infer A> ? A : never }

/** What operators decide, read from the environment once, at the start. */
export type Settings = Values

/** Reads and checks every setting. */
export const loadSettings: Config.Config<Settings> = Config.all({
  host: settings.host.config,
  port: settings.port.config,
  publicUrl: settings.publicUrl.config,
  trustedProxies: settings.trustedProxies.config,
  corsOrigins: settings.corsOrigins.config,
  dataDir: settings.dataDir.config,
  databaseUrl: settings.databaseUrl.config,
  databasePoolSize: settings.databasePoolSize.config,
  masterKey: settings.masterKey.config,
  bootstrapApiKey: settings.bootstrapApiKey.config,
  smtpUrl: settings.smtpUrl.config,
  smtpTls: settings.smtpTls.config,
  smtpConfirmation: settings.smtpConfirmation.config,
  mailHostname: settings.mailHostname.config,
  spfInclude: settings.spfInclude.config,
  dnsServers: settings.dnsServers.config,
  mailboxSmtpPort: settings.mailboxSmtpPort.config,
  inboundSmtpPort: settings.inboundSmtpPort.config,
  inboundTlsCert: settings.inboundTlsCert.config,
  inboundTlsKey: settings.inboundTlsKey.config,
  dedupeWindow: settings.dedupeWindow.config,
  rateLimitRequests: settings.rateLimitRequests.config,
  rateLimitSends: settings.rateLimitSends.config,
  redisUrl: settings.redisUrl.config,
  workerConcurrency: settings.workerConcurrency.config,
  leaseDuration: settings.leaseDuration.config,
  retrySchedule: settings.retrySchedule.config,
  webhookRetrySchedule: settings.webhookRetrySchedule.config,
  networkAllow: settings.networkAllow.config,
  shutdownGrace: settings.shutdownGrace.config,
  emailUnitCost: settings.emailUnitCost.config,
  retentionMessageBodies: settings.retentionMessageBodies.config,
  retentionEvents: settings.retentionEvents.config,
  retentionWebhookAttempts: settings.retentionWebhookAttempts.config,
  retentionKeyActivity: settings.retentionKeyActivity.config,
  retentionInboundRaw: settings.retentionInboundRaw.config,
  s3Endpoint: settings.s3Endpoint.config,
  s3Bucket: settings.s3Bucket.config,
  s3Region: settings.s3Region.config,
  s3AccessKeyId: settings.s3AccessKeyId.config,
  s3SecretAccessKey: settings.s3SecretAccessKey.config,
  metricsPort: settings.metricsPort.config,
  otlpEndpoint: settings.otlpEndpoint.config,
  logLevel: settings.logLevel.config,
  logFormat: settings.logFormat.config
}).pipe(Config.mapOrFail(checkS3), Config.mapOrFail(checkInboundTls))

/** The settings for the table of `--help` and of the README. */
export const settingDocs: ReadonlyArray<SettingDoc> = Object.values(settings)
