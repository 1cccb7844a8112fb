import { HttpApiBuilder, HttpServerResponse } from "@effect/platform"
import { SendRequest } from "@switchboard/domain/messages/SendRequest"
import { pageRequest } from "@switchboard/domain/Page"
import { EmailRecords } from "@switchboard/services/email/records/EmailRecords"
import { reserveKey } from "@switchboard/services/idempotency/CreateOnce"
import { Messages } from "@switchboard/services/messages/Messages"
import type { Caller } from "@switchboard/services/messages/SendContext"
import { newUuid } from "@switchboard/services/NewId"
import { Cause, Clock, Data, Effect, Schema } from "effect"
import { Api } from "../Api.js"
import { CurrentCaller } from "../Authorization.js"
import { removed } from "../CommonShapes.js"
import { decodeBody, decodeForm, invalid } from "../http/body/DecodeBody.js"
import { readObject } from "../http/body/RequestBody.js"
import { unexpected } from "../http/ErrorResponse.js"
import { encodedPage, jsonTextResponse, withBodies } from "../http/WithBodies.js"
import { handleOnce, markReplay, withHeaderKey } from "../idempotency/HandleOnce.js"
import type { IdempotencyHeaders } from "../idempotency/IdempotencyKeyHeader.js"
import { BatchResult, maxBatchSize } from "./MessagesApi.js"

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
const sendBatch = Effect.gen(function* () {
  const messages = yield* Messages
  const once = yield* handleOnce
  const reserve = yield* reserveKey

  const sendOne = (caller: Caller, body: unknown, key: { readonly idempotencyKey: string } | null) =>
    decodeSend(body).pipe(
      Effect.flatMap((request) => messages.send(caller, key === null ? request : { ...key, ...request }, true)),
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

const encodeBatch = Schema.encodeSync(BatchResult)

/** Reads a batch without decoding its sends. */
const readBatch = Effect.flatMap(
  Effect.flatMap(readObject, decodeForm(Schema.Struct({ messages: Schema.Array(Schema.Unknown) }))),
  ({ messages }) =>
    messages.length >= 1 && messages.length <= maxBatchSize
      ? Effect.succeed(messages)
      : invalid({ messages: [`must have 1 to ${maxBatchSize} sends`] })
)

export const MessagesHttp = HttpApiBuilder.group(
  Api,
  "messages",
  Effect.fnUntraced(function* (handlers) {
    const messages = yield* Messages
    const records = yield* EmailRecords

    const send = yield* sendBatch

    return yield* handlers
      .handle("list", ({ request, urlParams: { after, limit, page, ...filter } }) =>
        Effect.flatMap(CurrentCaller, ({ organizationId }) =>
          Effect.map(messages.list(organizationId, filter, pageRequest({ after, page, limit })), (found) =>
            encodedPage(found, request.originalUrl)
          )
        )
      )
      .handle(
        "send",
        Effect.fnUntraced(function* ({ headers, payload }) {
          const caller = yield* CurrentCaller
          const request = yield* withHeaderKey(payload, headers["idempotency-key"])
          const { message, replayed } = yield* messages.send(caller, request)
          yield* markReplay(replayed)
          return message
        })
      )
      .handleRaw("batch", ({ headers }) =>
        Effect.gen(function* () {
          const results = yield* send({ headers, payload: yield* readBatch })
          return HttpServerResponse.unsafeJson(encodeBatch({ results }))
        })
      )
      .handle("get", ({ path: { id } }) =>
        Effect.flatMap(CurrentCaller, ({ organizationId }) =>
          Effect.map(messages.getEncoded(organizationId, id), ({ json }) => jsonTextResponse(json))
        )
      )
      .handle("remove", ({ path: { id } }) =>
        Effect.flatMap(CurrentCaller, ({ organizationId }) => Effect.as(messages.remove(organizationId, id), removed))
      )
      .handle("timeline", ({ path: { id } }) =>
        Effect.flatMap(CurrentCaller, ({ organizationId }) => messages.timeline(organizationId, id))
      )
      .handle("attachments", ({ path: { id } }) =>
        Effect.flatMap(CurrentCaller, ({ organizationId }) =>
          Effect.map(records.attachments(organizationId, id), (items) => ({ items }))
        )
      )
      .handle("cancel", ({ path: { id } }) =>
        Effect.flatMap(CurrentCaller, ({ organizationId }) => messages.cancel(organizationId, id))
      )
      .handle("resend", ({ headers, path: { id } }) =>
        Effect.gen(function* () {
          const caller = yield* CurrentCaller
          const { message, replayed } = yield* messages.resend(caller, id, headers["idempotency-key"])
          yield* markReplay(replayed)
          return message
        })
      )
      .pipe(withBodies)
  })
)
