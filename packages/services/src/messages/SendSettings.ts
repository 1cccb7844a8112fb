import type { RetrySchedule } from "@switchboard/domain/RetrySchedule"
import { type BigDecimal, Context, type Duration } from "effect"

/** The operator's settings for sending. */
export class SendSettings extends Context.Tag("services/SendSettings")<
  SendSettings,
  {
    /** `DEDUPE_WINDOW`: the time in which a send without a key counts as a repeat; zero disables the check. */
    readonly dedupeWindow: Duration.Duration
    /** `EMAIL_UNIT_COST`: the cost of one recipient. */
    readonly emailUnitCost: BigDecimal.BigDecimal
    /** `RETRY_SCHEDULE`: its length is the number of retries. */
    readonly retrySchedule: RetrySchedule
  }
>() {}
