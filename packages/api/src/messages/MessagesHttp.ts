import { HttpApiBuilder } from "@effect/platform"
import { MessageTimeline } from "@switchboard/domain/messages/Message"
import { SendRequest } from "@switchboard/domain/messages/SendRequest"
import { pageRequest } from "@switchboard/domain/Page"
import { Messages } from "@switchboard/services/messages/Messages"
import { Cause, Effect, Schema } from "effect"
import { Api } from "../Api.js"
import { CurrentCaller } from "../Authorization.js"
import { decodeBody, decodeForm, invalid, readBody, readObject } from "../Door.js"
import { respond, respondAsWritten } from "../Respond.js"
import { unexpected } from "../Unexpected.js"
import { Removed, statusOf } from "../Wire.js"
import { withHeaderKey } from "./HeaderKey.js"
import { BatchResult, mostInBatch } from "./MessagesApi.js"

const answerMessage = respondAsWritten()
const answerCreated = respondAsWritten(201)
const answerPage = respondAsWritten()
const answerTimeline = respond(MessageTimeline)
const answerRemoved = respond(Removed)
const answerBatch = respond(BatchResult)

const readSend = readBody(SendRequest)
const decodeSend = decodeBody(SendRequest)

/** Only its form: each send is decoded by itself, so that a bad one fails alone. */
const readBatch = Effect.flatMap(
  Effect.flatMap(readObject, decodeForm(Schema.Struct({ messages: Schema.Array(Schema.Unknown) }))),
  ({ messages }) =>
    messages.length >= 1 && messages.length <= mostInBatch
      ? Effect.succeed(messages)
      : invalid({ messages: [`must have 1 to ${mostInBatch} sends`] })
)

export const MessagesHttp = HttpApiBuilder.group(
  Api,
  "messages",
  Effect.fnUntraced(function* (handlers) {
    const messages = yield* Messages

    const sendOne = (body: unknown) =>
      Effect.flatMap(CurrentCaller, (caller) =>
        Effect.flatMap(decodeSend(body), (request) => messages.send(caller, request))
      ).pipe(
        Effect.catchAllDefect((defect) => Effect.flip(unexpected(Cause.die(defect)))),
        Effect.match({
          onSuccess: ({ message }) => ({ status: 201, message }),
          onFailure: (error) => ({ status: statusOf(error), error })
        })
      )

    return handlers
      .handleRaw("list", ({ urlParams: { limit, page, ...filter } }) =>
        Effect.flatMap(CurrentCaller, ({ organizationId }) =>
          Effect.map(messages.list(organizationId, filter, pageRequest({ page, limit })), (found) => answerPage(found))
        )
      )
      .handleRaw("send", ({ headers }) =>
        Effect.gen(function* () {
          const caller = yield* CurrentCaller
          const request = yield* Effect.flatMap(readSend, (body) => withHeaderKey(body, headers["idempotency-key"]))
          const { message, replayed } = yield* messages.send(caller, request)
          return answerCreated(message, replayed ? { "idempotent-replayed": "true" } : {})
        })
      )
      .handleRaw("batch", () =>
        Effect.gen(function* () {
          const bodies = yield* readBatch
          const results = yield* Effect.forEach(bodies, sendOne, { concurrency: "unbounded" })
          return answerBatch({ results })
        })
      )
      .handleRaw("get", ({ path: { id } }) =>
        Effect.flatMap(CurrentCaller, ({ organizationId }) =>
          Effect.map(messages.get(organizationId, id), (found) => answerMessage(found))
        )
      )
      .handleRaw("remove", ({ path: { id } }) =>
        Effect.flatMap(CurrentCaller, ({ organizationId }) =>
          Effect.map(messages.remove(organizationId, id), () => answerRemoved({ success: true }))
        )
      )
      .handleRaw("timeline", ({ path: { id } }) =>
        Effect.flatMap(CurrentCaller, ({ organizationId }) =>
          Effect.map(messages.timeline(organizationId, id), (found) => answerTimeline(found))
        )
      )
      .handleRaw("cancel", ({ path: { id } }) =>
        Effect.flatMap(CurrentCaller, ({ organizationId }) =>
          Effect.map(messages.cancel(organizationId, id), (found) => answerMessage(found))
        )
      )
  })
)
