import type { ApiError } from "@switchboard/domain/Errors"
import type { SendRequest } from "@switchboard/domain/messages/SendRequest"
import { reserveKey } from "@switchboard/services/idempotency/CreateOnce"
import { Messages } from "@switchboard/services/messages/Messages"
import type { Caller } from "@switchboard/services/messages/SendContext"
import { newUuid } from "@switchboard/services/NewId"
import { Cause, Clock, Data, Effect } from "effect"
import { unexpected } from "../http/ErrorResponse.js"
import { handleOnce } from "../idempotency/HandleOnce.js"
import type { IdempotencyHeaders } from "../idempotency/IdempotencyKeyHeader.js"
import type { BatchResult } from "./MessagesApi.js"

interface BatchRules<B, E> {
  /** Reads a send of a batch. */
  readonly decode: (body: unknown, caller: Caller) => Effect.Effect<SendRequest, ApiError>
  /** Fails if no send of a new batch shall be accepted. A repeated batch is not checked. */
  readonly check: (batch: B, caller: Caller) => Effect.Effect<void, E>
}

export type BatchResults = (typeof BatchResult.Type)["results"]

/** The sends of a batch, not decoded: each is decoded separately, so that an invalid one fails no other. */
export interface Batch {
  readonly headers: typeof IdempotencyHeaders.Type
  readonly payload: ReadonlyArray<unknown>
}

/** No send of a batch is accepted. Its idempotency key can be used for a corrected batch. */
class NothingAccepted extends Data.TaggedError("NothingAccepted")<{ readonly results: BatchResults }> {}

/** Whether a send is accepted, or may be: the outcome of an internal error is unknown. */
const mayBeAccepted = ({ status }: BatchResults[number]) => status < 300 || status >= 500

/**
 * Sends each message of a batch. The sends of a batch with an idempotency key that have no key of their own get keys from
 * the id of the batch: a repeated batch gets their messages, and sends what an interrupted one did not.
 */
export const sendBatch = Effect.fnUntraced(function* <B extends Batch, E>({ check, decode }: BatchRules<B, E>) {
  const messages = yield* Messages
  const once = yield* handleOnce
  const reserve = yield* reserveKey

  const sendOne = (caller: Caller, body: unknown, key: { readonly idempotencyKey: string } | null) =>
    decode(body, caller).pipe(
      Effect.flatMap((request) => messages.send(caller, key === null ? request : { ...key, ...request }, true)),
      Effect.catchAllDefect((defect) => Effect.flip(unexpected(Cause.die(defect)))),
      Effect.match({
        onSuccess: ({ message }) => ({ status: 201, message }),
        onFailure: (error) => ({ status: error.status, error })
      })
    )

  const sendAll = (caller: Caller, bodies: ReadonlyArray<unknown>, id: string | null): Effect.Effect<BatchResults> =>
    Effect.forEach(
      bodies,
      (body, place) => sendOne(caller, body, id === null ? null : { idempotencyKey: `${id}.${place}` }),
      { concurrency: "unbounded" }
    )

  const sendNew = ({ headers, payload }: Batch, caller: Caller) =>
    headers["idempotency-key"] === undefined
      ? sendAll(caller, payload, null)
      : Effect.flatMap(Clock.currentTimeMillis, (now) => {
          const id = newUuid(now)
          const sent = Effect.filterOrFail(
            sendAll(caller, payload, id),
            (results) => results.some(mayBeAccepted),
            (results) => new NothingAccepted({ results })
          )
          return reserve(id, sent)
        })

  const sendOnce = once(
    (batch: B, caller) => Effect.zipRight(check(batch, caller), sendNew(batch, caller)),
    (id, caller, { payload }) => sendAll(caller, payload, id)
  )
  return (batch: B) =>
    Effect.catchAll(sendOnce(batch), (error) =>
      error instanceof NothingAccepted ? Effect.succeed(error.results) : Effect.fail(error)
    )
})
