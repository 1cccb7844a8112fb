import { Context, Duration, type Option } from "effect"

/** The retention of data; unlimited if an optional setting is absent. */
export class RetentionSettings extends Context.Tag("services/RetentionSettings")<
  RetentionSettings,
  {
    readonly messageBodies: Option.Option<Duration.Duration>
    readonly events: Option.Option<Duration.Duration>
    readonly inboundRaw: Option.Option<Duration.Duration>
    readonly webhookAttempts: Duration.Duration
    readonly keyActivity: Duration.Duration
    readonly audit: Duration.Duration
  }
>() {}

/** The default retention of webhook attempts and key activity, and that of ids of texts if events are kept. */
export const defaultRetention = Duration.days(30)

/** The retention of DMARC and TLS reports if events are kept: more than the longest range of figures, 366 days. */
export const defaultReportRetention = Duration.days(400)

/** The default retention of the audit log: the last year, and a month to look at it. */
export const defaultAuditRetention = Duration.days(400)
