import type { RetrySchedule } from "@switchboard/domain/RetrySchedule"
import { type BigDecimal, Context, type Duration } from "effect"

/** What the operator decides about sending. */
export class SendSettings extends Context.Tag("services/SendSettings")<
  SendSettings,
  {
    /** `DEDUPE_WINDOW`: for how long a send without a key is taken for a repetition; zero turns that off. */
    readonly dedupeWindow: Duration.Duration
    /** `EMAIL_UNIT_COST`: what one recipient costs. */
    readonly emailUnitCost: BigDecimal.BigDecimal
    /** `RETRY_SCHEDULE`: its length is the number of retries. */
    readonly retrySchedule: RetrySchedule
  }
>() {}
