import { ApiKeyId } from "@switchboard/domain/apiKeys/ApiKey"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { defaultRetrySchedule } from "@switchboard/domain/RetrySchedule"
import { DomainRepo } from "@switchboard/services/email/domains/DomainRepo"
import { Senders } from "@switchboard/services/email/senders/Senders"
import { TemplateRepo } from "@switchboard/services/email/templates/TemplateRepo"
import { Templates } from "@switchboard/services/email/templates/Templates"
import { Compose } from "@switchboard/services/messages/compose/Compose"
import { Messages } from "@switchboard/services/messages/Messages"
import { type Caller, SendSettings } from "@switchboard/services/messages/SendContext"
import { RateLimits } from "@switchboard/services/rateLimits/RateLimits"
import { BigDecimal, Duration, Effect, Layer } from "effect"
import { v7 } from "uuid"
import { NoNumbers } from "../sms/NoTexts.js"

/** Rate limits that accept every request and every send. */
export const NoLimits = Layer.succeed(
  RateLimits,
  RateLimits.make({
    request: () => Effect.succeed(null),
    send: () => Effect.succeed(null),
    refundSend: () => Effect.void,
    requestLimit: 0
  })
)

/** Sends are free; the window of duplicates is one minute. */
export const FreeSends = Layer.succeed(SendSettings, {
  dedupeWindow: Duration.minutes(1),
  emailUnitCost: BigDecimal.unsafeFromString("0"),
  smsUnitCost: BigDecimal.unsafeFromString("0"),
  whatsappUnitCost: BigDecimal.unsafeFromString("0"),
  retrySchedule: defaultRetrySchedule
})

/** Messages without templates, for senders that need no verified domain. */
export const MessagesLive = Messages.Default.pipe(
  Layer.provide(Layer.mergeAll(Senders.Default, Compose.Default, Templates.Default, NoNumbers)),
  Layer.provide(Layer.mergeAll(Layer.mock(TemplateRepo, {}), Layer.mock(DomainRepo, {}), NoLimits, FreeSends))
)

/** A caller with an API key of the organization. */
export const callerOf = (organizationId: OrganizationId): Caller => ({
  organizationId,
  apiKeyId: ApiKeyId.make(v7()),
  request: { method: "POST", endpoint: "", ipAddress: "", userAgent: "", headers: {}, query: {} },
  traceParent: null
})
