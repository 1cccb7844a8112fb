import { HttpApiBuilder } from "@effect/platform"
import {
  type ApiError,
  BadRequestError,
  ConflictError,
  type ResourceNotFoundError,
  ValidationError
} from "@switchboard/domain/Errors"
import { TemplateId } from "@switchboard/domain/email/templates/Template"
import type { MessageId } from "@switchboard/domain/messages/Message"
import { EmailSend } from "@switchboard/domain/messages/SendRequest"
import { Templates } from "@switchboard/services/email/templates/Templates"
import { Messages } from "@switchboard/services/messages/Messages"
import type { Caller } from "@switchboard/services/messages/SendContext"
import { Effect, Schema } from "effect"
import { CurrentCaller } from "../Authorization.js"
import { decodeBody, decodeForm, invalid } from "../http/body/DecodeBody.js"
import { readJson } from "../http/body/RequestBody.js"
import { jsonTextResponse, withBodies } from "../http/WithBodies.js"
import { markReplay } from "../idempotency/HandleOnce.js"
import { IdempotencyKeyHeader } from "../idempotency/IdempotencyKeyHeader.js"
import { maxBatchSize } from "../messages/MessagesApi.js"
import { type Batch, type BatchResults, sendBatch } from "../messages/SendBatch.js"
import { ResendApi } from "./ResendApi.js"
import { ResendSend, toListedEmail, toResendEmail, toResendField, toSendBody } from "./ResendEmail.js"
import { BatchAccepted } from "./ResendEmailsApi.js"
import { emailProblem, keyHeader } from "./ResendError.js"
import { resendMails } from "./ResendMails.js"
import { listOf, mapFields, renameFields } from "./ResendShapes.js"

/** The error of a send with the names of this API. A conflict of a send is always one of its idempotency key. */
const toResendFailure = <E>(error: E): E | ConflictError | ValidationError =>
  error instanceof ValidationError
    ? mapFields(toResendField)(error)
    : error instanceof ConflictError
      ? new ConflictError({ message: error.message, resource: "idempotencyKey" })
      : error

const decodeResend = decodeBody(ResendSend)
const decodeSend = decodeBody(EmailSend)

const isTemplateId = Schema.is(TemplateId)

/** Validates an email by the rules of POST /messages. The id of its template can also be the name. */
const sendReader = Effect.map(Templates, (templates) =>
  Effect.fnUntraced(function* (email: ResendSend, { organizationId }: Caller) {
    const id = email.template?.id
    const named = id === undefined || isTemplateId(id) ? null : yield* templates.named(organizationId, id)
    const template = named === null ? email.template : { ...email.template, id: named.id }
    return yield* renameFields(toResendField)(decodeSend(toSendBody({ ...email, template })))
  })
)

const decodeKey = decodeForm(Schema.Struct({ [keyHeader]: Schema.optional(IdempotencyKeyHeader) }))

/** The idempotency key of a request. */
const readKey = (header: string | undefined) =>
  Effect.map(decodeKey({ [keyHeader]: header }), ({ [keyHeader]: key }) => key)

/** A batch of emails. A strict one fails with the first invalid email. */
interface EmailBatch extends Batch {
  readonly isStrict: boolean
}

const emailBatches = Effect.gen(function* () {
  const messages = yield* Messages
  const toSend = yield* sendReader

  const decode = (body: unknown, caller: Caller) => Effect.flatMap(decodeResend(body), (email) => toSend(email, caller))

  const checkOne = (caller: Caller, body: unknown, index: number) =>
    Effect.mapError(
      Effect.flatMap(decode(body, caller), (send) => messages.checkEmail(caller, send)),
      (error) => {
        const failure = toResendFailure(error)
        return failure instanceof ValidationError
          ? mapFields((field) => (field === "" ? `${index}` : `${index}.${field}`))(failure)
          : failure
      }
    )

  return yield* sendBatch({
    decode,
    check: ({ isStrict, payload }: EmailBatch, caller) =>
      isStrict
        ? Effect.forEach(payload, (body, index) => checkOne(caller, body, index), { discard: true })
        : Effect.void
  })
})

const isProblem = (error: ApiError): error is ResourceNotFoundError | ValidationError =>
  error._tag === "ValidationError" || error._tag === "ResourceNotFoundError"

/** The response to a batch. Fails with the first error that is not the problem of one email. */
const batchAccepted = (results: BatchResults, isStrict: boolean) =>
  Effect.gen(function* () {
    const data: Array<{ readonly id: MessageId }> = []
    const errors: Array<{ readonly index: number; readonly message: string }> = []
    for (const [index, { error, message }] of results.entries()) {
      if (message !== undefined) data.push({ id: message.id })
      if (error === undefined) continue
      const failure = toResendFailure(error)
      if (isStrict || !isProblem(failure)) return yield* failure
      errors.push({ index, message: emailProblem(failure) })
    }
    return isStrict ? { data } : { data, errors }
  })

const encodeBatch = Schema.encodeSync(BatchAccepted)

/** Reads a batch without decoding its emails. */
const readBatch = Effect.gen(function* () {
  const body = yield* readJson
  if (!Array.isArray(body)) return yield* new BadRequestError({ message: "The body must be an array of emails" })
  const emails: ReadonlyArray<unknown> = body
  return emails.length >= 1 && emails.length <= maxBatchSize
    ? emails
    : yield* new ValidationError({ message: `A batch must have 1 to ${maxBatchSize} emails` })
})

export const ResendEmailsHttp = HttpApiBuilder.group(
  ResendApi,
  "emails",
  Effect.fnUntraced(function* (handlers) {
    const messages = yield* Messages
    const mails = yield* resendMails("outbound")
    const send = yield* emailBatches
    const toSend = yield* sendReader

    return yield* handlers
      .handle("send", ({ headers, payload }) =>
        Effect.gen(function* () {
          const caller = yield* CurrentCaller
          const idempotencyKey = yield* readKey(headers["idempotency-key"])
          const request = {
            ...(yield* toSend(payload, caller)),
            ...(idempotencyKey === undefined ? {} : { idempotencyKey })
          }
          const { message, replayed } = yield* Effect.mapError(messages.send(caller, request), toResendFailure)
          yield* markReplay(replayed)
          return { id: message.id }
        })
      )
      .handleRaw("batch", ({ headers }) =>
        Effect.gen(function* () {
          const key = yield* readKey(headers["idempotency-key"])
          const isStrict = headers["x-batch-validation"] !== "permissive"
          const batch = { headers: { "idempotency-key": key }, payload: yield* readBatch, isStrict }
          const results = yield* Effect.mapError(send(batch), toResendFailure)
          return jsonTextResponse(JSON.stringify(encodeBatch(yield* batchAccepted(results, isStrict))))
        })
      )
      .handle("list", ({ urlParams }) =>
        Effect.flatMap(CurrentCaller, ({ organizationId }) =>
          Effect.map(mails.list(organizationId, urlParams), (page) => listOf(page, toListedEmail))
        )
      )
      .handle("get", ({ path: { id } }) =>
        Effect.flatMap(CurrentCaller, ({ organizationId }) => Effect.map(mails.get(organizationId, id), toResendEmail))
      )
      .handle("update", ({ path: { id }, payload }) =>
        Effect.gen(function* () {
          const { organizationId } = yield* CurrentCaller
          if (payload.id !== undefined && payload.id !== id) {
            return yield* invalid({ id: ["must be the same as in the path"] })
          }
          yield* renameFields(toResendField)(messages.reschedule(organizationId, id, payload.scheduled_at))
          return { object: "email" as const, id }
        })
      )
      .handle("cancel", ({ path: { id } }) =>
        Effect.flatMap(CurrentCaller, ({ organizationId }) =>
          Effect.as(messages.cancel(organizationId, id), { object: "email" as const, id })
        )
      )
      .handle("attachments", mails.attachments)
      .handle("attachment", mails.attachment)
      .pipe(withBodies)
  })
)
