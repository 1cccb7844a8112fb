import type { Draft } from "@switchboard/domain/drafts/Draft"
import { sendOfDraft, toDraftFields } from "@switchboard/domain/drafts/SendOfDraft"
import { ValidationError } from "@switchboard/domain/Errors"
import { attachmentsLimitBytes } from "@switchboard/domain/messages/Attachment"
import type { SendRequest } from "@switchboard/domain/messages/SendRequest"
import { Effect, Number } from "effect"
import { Attachments } from "../attachments/Attachments.js"
import { Templates } from "../email/templates/Templates.js"
import type { Caller } from "../messages/Caller.js"
import { Messages } from "../messages/Messages.js"
import { draftKey } from "./DraftRepo.js"

/** Validates the body of a send, with the error messages of the API. */
export type ValidateSend = (body: unknown) => Effect.Effect<SendRequest, ValidationError>

/** The maximum number of drafts with attachments in memory. Others wait, so that memory stays bounded. */
const maxConcurrency = 4

/** Sends a draft's message through the same path as any other message. */
export const submitDraft = Effect.gen(function* () {
  const attachments = yield* Attachments
  const messages = yield* Messages
  const templates = yield* Templates
  const semaphore = yield* Effect.makeSemaphore(maxConcurrency)

  const templateOf = Effect.fnUntraced(function* ({ content: { templateId, templateName }, organizationId }: Draft) {
    if (templateId) return templateId
    if (!templateName) return undefined
    return (yield* templates.named(organizationId, templateName)).id
  })

  const submit = Effect.fnUntraced(function* (caller: Caller, draft: Draft, validate: ValidateSend) {
    const validated = yield* validate(sendOfDraft(draft, yield* templateOf(draft)))
    const files = yield* attachments.find(draft.organizationId, draft.content.attachmentIds ?? [])
    if (Number.sumAll(files.map(({ size }) => size)) > attachmentsLimitBytes) {
      return yield* new ValidationError({
        message: "The request body is invalid",
        fields: { "email.attachments": ["must be at most 25 MiB in all"] }
      })
    }
    const request = { ...validated, idempotencyKey: draftKey(draft.id) }
    if (files.length === 0) return yield* messages.send(caller, request)
    return yield* Effect.flatMap(attachments.read(draft.organizationId, files), (read) =>
      messages.send(caller, { ...request, email: { ...request.email, attachments: read } })
    ).pipe(semaphore.withPermits(1))
  })

  return (caller: Caller, draft: Draft, validate: ValidateSend) =>
    submit(caller, draft, validate).pipe(
      Effect.map(({ message }) => message),
      Effect.catchTag(
        "ValidationError",
        ({ fields = {}, message }) => new ValidationError({ message, fields: toDraftFields(fields) })
      )
    )
})
