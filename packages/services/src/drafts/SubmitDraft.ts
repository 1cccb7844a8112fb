import type { Draft } from "@switchboard/domain/drafts/Draft"
import { inDraftsNames, sendOfDraft } from "@switchboard/domain/drafts/SendOfDraft"
import { ValidationError } from "@switchboard/domain/Errors"
import { attachmentsLimitBytes } from "@switchboard/domain/messages/Attachment"
import type { SendRequest } from "@switchboard/domain/messages/SendRequest"
import { Effect, Number } from "effect"
import { Attachments } from "../attachments/Attachments.js"
import { Templates } from "../email/templates/Templates.js"
import type { Caller } from "../messages/Caller.js"
import { Messages } from "../messages/Messages.js"
import { draftKey } from "./DraftRepo.js"

/** Judges what a send says, in the words that its callers hear. */
export type JudgeSend = (body: unknown) => Effect.Effect<SendRequest, ValidationError>

/** Drafts whose files are held at the same time: the others wait, and memory stays bounded. */
const atOnce = 4

/** Sends what a draft says, through the same pipeline as any message. */
export const submitDraft = Effect.gen(function* () {
  const attachments = yield* Attachments
  const messages = yield* Messages
  const templates = yield* Templates
  const few = yield* Effect.makeSemaphore(atOnce)

  const templateOf = Effect.fnUntraced(function* ({ content: { templateId, templateName }, organizationId }: Draft) {
    if (templateId) return templateId
    if (!templateName) return undefined
    return (yield* templates.named(organizationId, templateName)).id
  })

  const submit = Effect.fnUntraced(function* (caller: Caller, draft: Draft, judge: JudgeSend) {
    const judged = yield* judge(sendOfDraft(draft, yield* templateOf(draft)))
    const files = yield* attachments.find(draft.organizationId, draft.content.attachmentIds ?? [])
    if (Number.sumAll(files.map(({ size }) => size)) > attachmentsLimitBytes) {
      return yield* new ValidationError({
        message: "The request body is invalid",
        fields: { "email.attachments": ["must be at most 25 MiB in all"] }
      })
    }
    const request = { ...judged, idempotencyKey: draftKey(draft.id) }
    if (files.length === 0) return yield* messages.send(caller, request)
    return yield* Effect.flatMap(attachments.read(draft.organizationId, files), (read) =>
      messages.send(caller, { ...request, email: { ...request.email, attachments: read } })
    ).pipe(few.withPermits(1))
  })

  return (caller: Caller, draft: Draft, judge: JudgeSend) =>
    submit(caller, draft, judge).pipe(
      Effect.map(({ message }) => message),
      Effect.catchTag(
        "ValidationError",
        ({ fields = {}, message }) => new ValidationError({ message, fields: inDraftsNames(fields) })
      )
    )
})
