import { Context, Duration, type Option } from "effect"

/** How long data is kept: without a limit if an optional setting is absent. */
export class RetentionSettings extends Context.Tag("services/RetentionSettings")<
  RetentionSettings,
  {
    readonly messageBodies: Option.Option<Duration.Duration>
    readonly events: Option.Option<Duration.Duration>
    readonly inboundRaw: Option.Option<Duration.Duration>
    readonly webhookAttempts: Duration.Duration
    readonly keyActivity: Duration.Duration
  }
>() {}

/** How long attempts of webhooks and activity of keys are kept by default. */
export const defaultRetention = Duration.days(30)

/** The interval of a job that erases expired data: a tenth of the retention, so that nothing is kept for much longer. */
export const retentionInterval = (kept: Duration.Duration): Duration.Duration =>
  Duration.clamp(Duration.times(kept, 0.1), { minimum: Duration.seconds(1), maximum: Duration.minutes(5) })
