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
