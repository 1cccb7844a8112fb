import type { ApiKeyId } from "@switchboard/domain/apiKeys/ApiKey"
import type { ApiRequestMetadata } from "@switchboard/domain/messages/Message"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import type { RetrySchedule } from "@switchboard/domain/RetrySchedule"
import { type BigDecimal, Context, type Duration, Option, type Tracer } from "effect"

/** The API key that sent a request. */
export interface Caller {
  readonly organizationId: OrganizationId
  readonly apiKeyId: ApiKeyId
  readonly request: ApiRequestMetadata
  /** The W3C trace context of the request, null when it is not traced. */
  readonly traceParent: string | null
}

/** The operator's settings for sending. */
export class SendSettings extends Context.Tag("services/SendSettings")<
  SendSettings,
  {
    /** `DEDUPE_WINDOW`: the time in which a send without a key counts as a repeat; zero disables the check. */
    readonly dedupeWindow: Duration.Duration
    /** `EMAIL_UNIT_COST`: the cost of one recipient. */
    readonly emailUnitCost: BigDecimal.BigDecimal
    /** `SMS_UNIT_COST`: the cost of one segment for one recipient. */
    readonly smsUnitCost: BigDecimal.BigDecimal
    /** `WHATSAPP_UNIT_COST`: the cost of one message. */
    readonly whatsappUnitCost: BigDecimal.BigDecimal
    /** `RETRY_SCHEDULE`: its length is the number of retries. */
    readonly retrySchedule: RetrySchedule
  }
>() {}

const pattern = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/

/** The W3C `traceparent` header of a span. */
export const formatTraceParent = ({ sampled, spanId, traceId }: Tracer.AnySpan): string =>
  `00-${traceId}-${spanId}-${sampled ? "01" : "00"}`

/** The span of a `traceparent` header, if it is well formed and sampled. */
export const parseTraceParent = (text: string | null) =>
  Option.filterMap(Option.fromNullable(pattern.exec(text ?? "")), ([, traceId = "", spanId = "", flags]) =>
    flags === "01" ? Option.some({ traceId, spanId, sampled: true }) : Option.none()
  )
