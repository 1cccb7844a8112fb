import type { ServiceUnavailableError } from "@switchboard/domain/Errors"
import { blockKeys, suppressions } from "@switchboard/domain/email/blocks/Suppression"
import { deliveriesOf, isSms, type Message, type MessageId } from "@switchboard/domain/messages/Message"
import { Array, Chunk, DateTime, Duration, Effect, identity, Option, type Predicate, Stream } from "effect"
import { BlockRepo } from "../email/blocks/BlockRepo.js"
import { OptOutRepo } from "../sms/OptOutRepo.js"
import { type FailedFilter, FailedMessageRepo } from "./FailedMessageRepo.js"
import { Messages } from "./Messages.js"

/** The number of messages by result. */
export interface RetryCounts {
  readonly retried: number
  /** The messages that were not retried, by reason. */
  readonly refused: Readonly<Record<string, number>>
}

const pageSize = 100

/** Messages that are read with their attachments at the same time. */
const concurrency = 4

const planLimit = "the limit of the plan is reached"

/** The result of one message: null if it was retried, otherwise the reason. */
type Result = string | null

const isRetried: Predicate.Predicate<Result> = (result) => result === null

/** Sends the failed messages of an organization again. */
export class RetryFailed extends Effect.Service<RetryFailed>()("services/RetryFailed", {
  effect: Effect.gen(function* () {
    const failed = yield* FailedMessageRepo
    const blocks = yield* BlockRepo
    const optOuts = yield* OptOutRepo
    const messages = yield* Messages

    /** Whether blocks, or opt-outs of a text, suppress every recipient. */
    const isBlocked = (message: Message) => {
      const { categories, emailMetadata, organizationId } = message
      if (isSms(message)) {
        const phones = deliveriesOf(message).map(({ recipient }) => recipient)
        return Effect.map(
          optOuts.findOptedOut(organizationId, message.content.from, phones),
          (optedOut) => phones.length > 0 && phones.every((phone) => optedOut.has(phone))
        )
      }
      const recipients = emailMetadata == null ? [] : [emailMetadata.to, emailMetadata.cc, emailMetadata.bcc].flat()
      return Array.isNonEmptyArray(recipients)
        ? Effect.every(recipients, (recipient) => {
            const keys = blockKeys(recipient)
            return Effect.zipWith(
              blocks.find(organizationId, keys, undefined),
              DateTime.now,
              (found, now) => suppressions(found, keys, categories, now).length > 0
            )
          })
        : Effect.succeed(false)
    }

    /** Sends one message again, after the time that the rate limit names. */
    const retry = (
      organizationId: FailedFilter["organizationId"],
      id: MessageId
    ): Effect.Effect<Result, ServiceUnavailableError> =>
      Effect.gen(function* () {
        const message = yield* messages.get(organizationId, id)
        const { apiKeyId, apiRequestMetadata: request } = message
        if (apiKeyId === null || request === null) return "the request that sent them is not stored"
        if (yield* isBlocked(message)) return "all recipients are blocked"
        // The key of a run that ended before it recorded the new message finds that message.
        yield* messages.resend({ organizationId, apiKeyId, request, traceParent: null }, id, `retry:${id}`, true)
        return null
      }).pipe(
        Effect.catchTags({
          ConflictError: ({ message }) => Effect.succeed(message),
          RateLimitedError: ({ retryAfterSeconds }) =>
            Effect.delay(retry(organizationId, id), Duration.seconds(retryAfterSeconds)),
          PaymentRequiredError: () => Effect.succeed(planLimit),
          ResourceNotFoundError: ({ resource }) => Effect.succeed(`the ${resource} was deleted`),
          ValidationError: () => Effect.succeed("the organization may no longer send from the sender")
        })
      )

    /**
     * Sends at most `limit` matching messages again, oldest first. Ends at the limit of the plan: the rest counts as
     * refused. A later call continues, since messages that were sent again do not match.
     */
    const run = Effect.fn("RetryFailed.run")(function* (filter: FailedFilter, limit: number) {
      let after = filter.after
      let retried = 0
      const refused: Record<string, number> = {}
      const refuse = (reason: string, count: number) => {
        if (count > 0) refused[reason] = (refused[reason] ?? 0) + count
      }
      while (retried < limit) {
        const ids = yield* failed.ids({ ...filter, after }, Math.min(pageSize, limit - retried))
        after = Array.last(ids)
        if (Option.isNone(after)) break
        const results = yield* Effect.forEach(ids, (id) => retry(filter.organizationId, id), { concurrency })
        retried += results.filter(isRetried).length
        for (const reason of results) if (reason !== null) refuse(reason, 1)
        if (results.includes(planLimit)) {
          const left = yield* failed.count({ ...filter, after })
          refuse(planLimit, Math.min(left, limit - retried))
          break
        }
      }
      return { retried, refused } satisfies RetryCounts
    })

    /** The matching messages, oldest first. */
    const list = (filter: FailedFilter): Stream.Stream<Message, ServiceUnavailableError> =>
      Stream.paginateChunkEffect(filter.after, (after) =>
        Effect.map(failed.ids({ ...filter, after }, pageSize), (ids) => [
          Chunk.unsafeFromArray(ids),
          Option.map(Array.last(ids), Option.some)
        ])
      ).pipe(
        Stream.mapEffect(
          (id) =>
            Effect.asSome(messages.get(filter.organizationId, id)).pipe(
              Effect.catchTag("ResourceNotFoundError", () => Effect.succeedNone)
            ),
          { concurrency }
        ),
        Stream.filterMap(identity)
      )

    return { list, run } as const
  })
}) {}
