import { deliveriesOf, Message } from "@switchboard/domain/messages/Message"
import { OrganizationId } from "@switchboard/domain/organizations/Organization"
import type { FailedFilter } from "@switchboard/services/messages/FailedMessageRepo"
import { RetryFailed } from "@switchboard/services/messages/RetryFailed"
import { OrganizationRepo } from "@switchboard/services/organizations/OrganizationRepo"
import { Console, Effect, Layer, Option, Schema, Stream } from "effect"
import { ObjectStoreLive, OwnRateLimits } from "../layers/Ports.js"
import { Storage } from "../layers/Storage.js"
import { MessagesLive } from "../layers/UseCases.js"
import { findOrganization } from "../organizations/NamedOrganization.js"
import { printList, timeCell } from "../run/Output.js"
import { ServiceSettings } from "../settings/ServiceSettings.js"

/** Failed messages to send again. */
export interface Retry extends Omit<FailedFilter, "organizationId" | "after"> {
  /** The id or the slug of an organization; none: all organizations. */
  readonly organization: Option.Option<string>
  readonly limit: Option.Option<number>
  /** Lists the messages only. */
  readonly dryRun: boolean
  readonly json: boolean
}

const RetryLive = RetryFailed.Default.pipe(
  Layer.provide(MessagesLive),
  Layer.provide(Layer.merge(ObjectStoreLive, OwnRateLimits)),
  Layer.provideMerge(Layer.merge(Storage, ServiceSettings))
)

/** A message that would be retried. */
const RetriedMessage = Schema.Struct({
  ...Schema.Struct(Message.fields).pick("id", "channel", "errorDetails", "failedAt").fields,
  organizationId: OrganizationId,
  organization: Schema.String.annotations({ description: "the slug of the organization" }),
  recipients: Schema.Array(Schema.String)
})

const printMessages = printList(RetriedMessage, {
  ID: ({ id }) => id,
  ORGANIZATION: ({ organization }) => organization,
  CHANNEL: ({ channel }) => channel,
  "FAILED AT": ({ failedAt }) => timeCell(failedAt),
  CODE: ({ errorDetails }) => errorDetails?.code,
  RECIPIENTS: ({ recipients }) => recipients.join(", "),
  REASON: ({ errorDetails }) => errorDetails?.message
})

/** Sends failed messages again, and prints their number; in a dry run, only lists them. */
export const retryMessages = Effect.fnUntraced(function* ({ dryRun, json, limit, organization, ...filter }: Retry) {
  const { list } = yield* OrganizationRepo
  const failed = yield* RetryFailed
  const owners = Option.isSome(organization) ? [yield* findOrganization(list, organization.value)] : yield* list
  let left = Option.getOrElse(limit, () => Number.MAX_SAFE_INTEGER)
  const found: Array<typeof RetriedMessage.Type> = []
  let retried = 0
  const refused: Record<string, number> = {}
  for (const { id: organizationId, slug } of owners) {
    const matching: FailedFilter = { ...filter, organizationId, after: Option.none() }
    if (dryRun) {
      yield* failed.list(matching).pipe(
        Stream.take(left),
        Stream.runForEach((message) =>
          Effect.sync(() => {
            const { channel, errorDetails, failedAt, id } = message
            const recipients = deliveriesOf(message).map(({ recipient }) => recipient)
            found.push({ id, channel, errorDetails, failedAt, organizationId, organization: slug, recipients })
            left--
          })
        )
      )
      continue
    }
    const counts = yield* failed.run(matching, left)
    retried += counts.retried
    left -= counts.retried
    for (const [reason, n] of Object.entries(counts.refused)) refused[reason] = (refused[reason] ?? 0) + n
  }
  if (dryRun) {
    yield* printMessages(found, json)
    return yield* json ? Effect.void : Console.log(`Would retry: ${found.length}`)
  }
  yield* Console.log(`Retried: ${retried}`)
  yield* Effect.forEach(Object.entries(refused), ([reason, n]) => Console.log(`Not retried: ${n} (${reason})`))
}, Effect.provide(RetryLive))
