import { SendRequest } from "@switchboard/domain/messages/SendRequest"
import { reserveKey } from "@switchboard/services/idempotency/ReserveKey"
import type { Caller } from "@switchboard/services/messages/Caller"
import { Messages } from "@switchboard/services/messages/Messages"
import { newUuid } from "@switchboard/services/NewUuid"
import { Cause, Clock, Data, Effect } from "effect"
import { decodeBody } from "../http/body/DecodeBody.js"
import { unexpected } from "../http/ErrorResponse.js"
import { handleOnce } from "../idempotency/HandleOnce.js"
import type { IdempotencyHeaders } from "../idempotency/IdempotencyKeyHeader.js"
import type { BatchResult } from "./MessagesApi.js"

type Results = (typeof BatchResult.Type)["results"]

/** The sends of a batch, not decoded: each is decoded separately, so that an invalid one fails no other. */
interface Batch {
  readonly headers: typeof IdempotencyHeaders.Type
  readonly payload: ReadonlyArray<unknown>
}

/** No send of a batch is accepted. Its idempotency key can be used for a corrected batch. */
class NothingAccepted extends Data.TaggedError("NothingAccepted")<{ readonly results: Results }> {}

/** Whether a send is accepted, or may be: the outcome of an internal error is unknown. */
const mayBeAccepted = ({ status }: Results[number]) => status < 300 || status >= 500

const decodeSend = decodeBody(SendRequest)

/**
 * Sends each message of a batch. The sends of a batch with an idempotency key that have no key of their own get keys from
 * the id of the batch: a repeated batch gets their messages, and sends what an interrupted one did not.
 */
export const sendBatch = Effect.gen(function* () {
  const messages = yield* Messages
  const once = yield* handleOnce
  const reserve = yield* reserveKey

  const sendOne = (caller: Caller, body: unknown, key: { readonly idempotencyKey: string } | null) =>
    decodeSend(body).pipe(
      Effect.flatMap((request) =>
        messages.send(caller, key === null ? request : Object.assign({}, key, request), true)
      ),
      Effect.catchAllDefect((defect) => Effect.flip(unexpected(Cause.die(defect)))),
      Effect.match({
        onSuccess: ({ message }) => ({ status: 201, message }),
        onFailure: (error) => ({ status: error.status, error })
      })
    )

  const sendAll = (caller: Caller, bodies: ReadonlyArray<unknown>, id: string | null): Effect.Effect<Results> =>
    Effect.forEach(
      bodies,
      (body, place) => sendOne(caller, body, id === null ? null : { idempotencyKey: `${id}.${place}` }),
      { concurrency: "unbounded" }
    )

  const sendOnce = once(
    ({ headers, payload }: Batch, caller) =>
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
          }),
    (id, caller, { payload }) => sendAll(caller, payload, id)
  )
  return (batch: Batch) => Effect.catchTag(sendOnce(batch), "NothingAccepted", ({ results }) => Effect.succeed(results))
})
