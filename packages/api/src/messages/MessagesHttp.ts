import { HttpApiBuilder, HttpServerResponse } from "@effect/platform"
import { SendRequest } from "@switchboard/domain/messages/SendRequest"
import { pageRequest } from "@switchboard/domain/Page"
import { EmailRecords } from "@switchboard/services/email/records/EmailRecords"
import { Messages } from "@switchboard/services/messages/Messages"
import { Effect, Schema } from "effect"
import { Api } from "../Api.js"
import { CurrentCaller } from "../Authorization.js"
import { removed } from "../CommonShapes.js"
import { decodeBody, decodeForm, invalid } from "../http/body/DecodeBody.js"
import { readObject } from "../http/body/RequestBody.js"
import { encodedPage, jsonTextResponse, withBodies } from "../http/WithBodies.js"
import { markReplay, withHeaderKey } from "../idempotency/HandleOnce.js"
import { BatchResult, maxBatchSize } from "./MessagesApi.js"
import { sendBatch } from "./SendBatch.js"

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

    const send = yield* sendBatch({ decode: decodeBody(SendRequest), check: () => Effect.void })

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
