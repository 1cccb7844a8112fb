import { Context, type Duration } from "effect"

/** The operator's settings for webhooks. */
export class WebhookSettings extends Context.Tag("services/WebhookSettings")<
  WebhookSettings,
  {
    /** `WEBHOOK_RETRY_SCHEDULE`: the wait before each retry. */
    readonly retrySchedule: ReadonlyArray<Duration.Duration>
  }
>() {}
