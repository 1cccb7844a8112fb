import { Context, Duration, type Option } from "effect"

/** For how long operators want what to be kept; for ever where they say nothing. */
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

/** For how long attempts of webhooks and activity of keys are kept unless operators say otherwise. */
export const keptUnlessTold = Duration.days(30)

/** How often is looked: what is kept for less is looked for more often, so that it is never kept for much longer. */
export const lookEvery = (kept: Duration.Duration): Duration.Duration =>
  Duration.clamp(Duration.times(kept, 0.1), { minimum: Duration.seconds(1), maximum: Duration.minutes(5) })
