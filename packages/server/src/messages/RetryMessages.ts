import type { FailedFilter } from "@switchboard/services/messages/FailedMessageRepo"
import { RetryFailed } from "@switchboard/services/messages/RetryFailed"
import { OrganizationRepo } from "@switchboard/services/organizations/OrganizationRepo"
import { Console, Effect, Layer, Option } from "effect"
import { OwnRateLimits } from "../layers/Ports.js"
import { Storage } from "../layers/Storage.js"
import { MessagesLive } from "../layers/UseCases.js"
import { findOrganization } from "../ReadArguments.js"
import { ServiceSettings } from "../settings/ServiceSettings.js"

/** Failed messages to send again. */
export interface Retry extends Omit<FailedFilter, "organizationId" | "after"> {
  /** The id or the slug of an organization; none: all organizations. */
  readonly organization: Option.Option<string>
  readonly limit: Option.Option<number>
  /** Counts the messages only. */
  readonly dryRun: boolean
}

const RetryLive = RetryFailed.Default.pipe(
  Layer.provide(MessagesLive),
  Layer.provide(OwnRateLimits),
  Layer.provideMerge(Layer.merge(Storage, ServiceSettings))
)

/** Sends failed messages again, and prints their number. */
export const retryMessages = Effect.fnUntraced(function* ({ dryRun, limit, organization, ...filter }: Retry) {
  const { list } = yield* OrganizationRepo
  const { count, run } = yield* RetryFailed
  const owners = Option.isSome(organization) ? [yield* findOrganization(list, organization.value)] : yield* list
  let left = Option.getOrElse(limit, () => Number.POSITIVE_INFINITY)
  let total = 0
  const refused: Record<string, number> = {}
  for (const { id: organizationId } of owners) {
    const failed: FailedFilter = { ...filter, organizationId, after: Option.none() }
    if (dryRun) {
      total += yield* count(failed)
      continue
    }
    const counts = yield* run(failed, left)
    total += counts.retried
    left -= counts.retried
    for (const [reason, n] of Object.entries(counts.refused)) refused[reason] = (refused[reason] ?? 0) + n
  }
  yield* Console.log(dryRun ? `Would retry: ${Math.min(total, left)}` : `Retried: ${total}`)
  yield* Effect.forEach(Object.entries(refused), ([reason, n]) => Console.log(`Not retried: ${n} (${reason})`))
}, Effect.provide(RetryLive))
