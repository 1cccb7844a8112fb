import {
  Draft,
  type DraftContent,
  DraftId,
  type DraftRecipient,
  sendOfDraft,
  toDraftFields
} from "@switchboard/domain/drafts/Draft"
import type { CreateDraft, UpdateDraft } from "@switchboard/domain/drafts/DraftRequests"
import {
  ConflictError,
  ResourceNotFoundError,
  type ServiceUnavailableError,
  ValidationError
} from "@switchboard/domain/Errors"
import { TemplateId } from "@switchboard/domain/email/templates/Template"
import { afterUpdate } from "@switchboard/domain/Fields"
import { attachmentsLimitBytes } from "@switchboard/domain/messages/Attachment"
import type { MessageId } from "@switchboard/domain/messages/Message"
import type { SendRequest } from "@switchboard/domain/messages/SendRequest"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { DateTime, Duration, Effect, Number, Predicate, Schedule, Schema } from "effect"
import { AttachmentRepo, unusedRetention } from "../attachments/AttachmentRepo.js"
import { Attachments } from "../attachments/Attachments.js"
import { Templates } from "../email/templates/Templates.js"
import { NotCreated, reserveKey } from "../idempotency/CreateOnce.js"
import { Messages } from "../messages/Messages.js"
import type { Caller } from "../messages/SendContext.js"
import { newId } from "../NewId.js"
import { ParticipantRepo } from "../participants/ParticipantRepo.js"
import type { ScheduledJob } from "../ScheduledJob.js"
import { DraftRepo, draftKey, type StoredDraft } from "./DraftRepo.js"

const batch = 100

/** Stores the outcome of interrupted submissions, and removes files that no draft has named for a week. */
export const cleanUpDrafts: Effect.Effect<ScheduledJob, never, AttachmentRepo | DraftRepo> = Effect.gen(function* () {
  const drafts = yield* DraftRepo
  const attachments = yield* AttachmentRepo

  const round: Effect.Effect<number, ServiceUnavailableError> = Effect.gen(function* () {
    const now = yield* DateTime.now
    const left = yield* drafts.listExpiredHolds(now, batch)
    yield* Effect.forEach(
      left,
      ({ id, organizationId }) =>
        drafts
          .change(organizationId, id, DateTime.addDuration(now, unusedRetention), ({ draft }) =>
            Effect.succeed({ draft, heldUntil: null })
          )
          // The change does not name new files.
          .pipe(Effect.catchTag("ResourceNotFoundError", Effect.die)),
      { discard: true }
    )
    const removed = yield* attachments.removeUnused(now, batch)
    const done = left.length + removed
    return left.length < batch && removed < batch ? done : done + (yield* round)
  })

  return { what: "Cleaning up drafts", every: "1 minute", round }
})

/** Validates the body of a send, with the error messages of the API. */
export type ValidateSend = (body: unknown) => Effect.Effect<SendRequest, ValidationError>

/** The maximum number of drafts with attachments in memory. Others wait, so that memory stays bounded. */
const maxConcurrency = 4

/** Sends a draft's message through the same path as any other message. */
const submitDraft = Effect.gen(function* () {
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
    const { inReplyToMessageId } = draft
    if (inReplyToMessageId !== undefined && validated.channel !== "email") {
      return yield* new ValidationError({
        message: "The request body is invalid",
        fields: { inReplyToMessageId: [`must not be given for the channel ${validated.channel}`] }
      })
    }
    const request = {
      ...validated,
      idempotencyKey: draftKey(draft.id),
      ...(inReplyToMessageId === undefined ? {} : { inReplyToMessageId })
    }
    // The file of a WhatsApp message is in the request.
    const isComplete = files.length === 0 || (request.channel === "whatsapp" && files.length === 1)
    if (isComplete) return yield* messages.send(caller, request)
    if (request.channel !== "email") {
      const limit = request.channel === "whatsapp" ? "must be at most one file" : "must not be given"
      return yield* new ValidationError({
        message: "The request body is invalid",
        fields: { "email.attachments": [`${limit} for the channel ${request.channel}`] }
      })
    }
    return yield* Effect.flatMap(attachments.read(draft.organizationId, files), (read) =>
      messages.send(caller, { ...request, email: { ...request.email, attachments: read } })
    ).pipe(semaphore.withPermits(1))
  })

  return (caller: Caller, draft: Draft, validate: ValidateSend) =>
    submit(caller, draft, validate).pipe(
      Effect.map(({ message }) => message),
      Effect.catchTag(
        "ValidationError",
        ({ fields = {}, message }) => new ValidationError({ message, fields: toDraftFields(draft.channel, fields) })
      )
    )
})

const isTemplateId = Schema.is(TemplateId)

/**
 * Fails if a draft names a participant, a template or a message that the organization does not have. The store checks
 * the files.
 */
const draftReferences = Effect.gen(function* () {
  const messages = yield* Messages
  const participants = yield* ParticipantRepo
  const templates = yield* Templates

  return Effect.fnUntraced(function* (
    organization: OrganizationId,
    recipients: ReadonlyArray<DraftRecipient>,
    { templateId }: DraftContent,
    inReplyToMessageId: MessageId | null | undefined
  ) {
    const named = recipients.flatMap(({ participantId }) => participantId ?? [])
    const known = named.length === 0 ? [] : yield* participants.findMany(organization, named)
    const unknown = named.find((id) => known.every((one) => one.id !== id))
    if (unknown !== undefined) return yield* new ResourceNotFoundError({ resource: "participant", id: unknown })
    if (inReplyToMessageId != null) yield* messages.get(organization, inReplyToMessageId)
    // An empty text means that no template is chosen yet.
    if (templateId === undefined || templateId === "") return
    if (!isTemplateId(templateId)) return yield* new ResourceNotFoundError({ resource: "template", id: templateId })
    yield* templates.get(organization, templateId)
  })
})

/** How long a send holds a draft. A held draft can't be edited. */
const holdDuration = Duration.seconds(15)

/** How long a repeated request waits for the one that sends the draft. */
const awaitSend = { schedule: Schedule.spaced("100 millis"), times: 20 }

const conflict = (message: string) => new ConflictError({ message, resource: "draft" })

const isDraftConflict = (error: unknown) => error instanceof ConflictError && error.resource === "draft"

const unlessHeld = ({ heldUntil }: StoredDraft, now: DateTime.Utc) =>
  heldUntil !== null && DateTime.greaterThan(heldUntil, now) ? conflict("The draft is being sent") : Effect.void

const unlessSent = ({ sentMessageId }: Draft) =>
  sentMessageId === undefined
    ? Effect.void
    : conflict(`The draft was sent as message ${sentMessageId}: it can't be edited or sent again`)

const unlessClosed = (stored: StoredDraft, now: DateTime.Utc) =>
  Effect.zipRight(unlessSent(stored.draft), unlessHeld(stored, now))

/** The drafts of an organization: edited in steps, sent once. */
export class Drafts extends Effect.Service<Drafts>()("services/Drafts", {
  effect: Effect.gen(function* () {
    const repo = yield* DraftRepo
    const checkReferences = yield* draftReferences
    const submit = yield* submitDraft
    const messages = yield* Messages
    const reserve = yield* reserveKey

    const notFound = (id: DraftId) => new ResourceNotFoundError({ resource: "draft", id })

    const get = Effect.fn("Drafts.get")(function* (organization: OrganizationId, id: DraftId) {
      return yield* Effect.mapError(yield* repo.find(organization, id), () => notFound(id))
    })

    const create = Effect.fn("Drafts.create")(function* (
      { apiKeyId, organizationId }: Pick<Caller, "apiKeyId" | "organizationId">,
      { channel, content, inReplyToMessageId, recipients, title }: CreateDraft
    ) {
      yield* checkReferences(organizationId, recipients, content, inReplyToMessageId)
      const { id, now } = yield* newId(DraftId)
      const draft = new Draft({
        ...{ id, organizationId, channel, recipients, content, title, inReplyToMessageId },
        ...{ lastEditedAt: now, createdAt: now, createdBy: apiKeyId }
      })
      yield* repo.insert(draft)
      return draft
    })

    /** Changes a draft under lock. */
    const change = Effect.fnUntraced(function* <E>(
      organization: OrganizationId,
      id: DraftId,
      decide: (stored: StoredDraft, now: DateTime.Utc) => Effect.Effect<StoredDraft, E>
    ) {
      const now = yield* DateTime.now
      const unusedUntil = DateTime.addDuration(now, unusedRetention)
      const changed = yield* repo.change(organization, id, unusedUntil, (stored) => decide(stored, now))
      return yield* Effect.mapError(changed, () => notFound(id))
    })

    /** Changes the given fields of a draft that was not sent. */
    const update = Effect.fn("Drafts.update")(function* (
      organization: OrganizationId,
      id: DraftId,
      { inReplyToMessageId, title, ...changes }: UpdateDraft
    ) {
      yield* get(organization, id)
      yield* checkReferences(organization, changes.recipients ?? [], changes.content ?? {}, inReplyToMessageId)
      return yield* change(organization, id, (stored, now) =>
        Effect.as(unlessClosed(stored, now), {
          heldUntil: null,
          draft: new Draft({
            ...stored.draft,
            channel: changes.channel ?? stored.draft.channel,
            recipients: changes.recipients ?? stored.draft.recipients,
            content: changes.content ?? stored.draft.content,
            title: afterUpdate(title, stored.draft.title, undefined),
            inReplyToMessageId: afterUpdate(inReplyToMessageId, stored.draft.inReplyToMessageId, undefined),
            lastEditedAt: now
          })
        })
      )
    })

    /** Removes a draft, sent or not. The sent message stays. */
    const remove = Effect.fn("Drafts.remove")(function* (organization: OrganizationId, id: DraftId) {
      const now = yield* DateTime.now
      const unusedUntil = DateTime.addDuration(now, unusedRetention)
      const isRemoved = yield* repo.remove(organization, id, unusedUntil, (stored) => unlessHeld(stored, now))
      if (!isRemoved) return yield* notFound(id)
    })

    /** Ends the hold. */
    const release = (organization: OrganizationId, id: DraftId) =>
      change(organization, id, (stored) => Effect.succeed({ ...stored, heldUntil: null }))

    /** Sends a draft once. The draft is held during the send; a rejected send leaves it unchanged. */
    const send = Effect.fn("Drafts.send")(function* (caller: Caller, id: DraftId, validate: ValidateSend) {
      const { organizationId } = caller
      const held = Effect.acquireUseRelease(
        change(organizationId, id, (stored, now) =>
          Effect.as(unlessClosed(stored, now), { ...stored, heldUntil: DateTime.addDuration(now, holdDuration) })
        ),
        (draft) => submit(caller, draft, validate),
        // The message is accepted or rejected by now: a failed release must not change the response.
        () => Effect.ignore(release(organizationId, id))
      )
      // After this check, a conflict means that a concurrent request sends or sent the draft, maybe with the same key.
      yield* Effect.flatMap(get(organizationId, id), unlessSent)
      return yield* reserve(id, held, isDraftConflict)
    })

    /** The message of a draft that an earlier request sent. Waits for a request that sends it now. */
    const sentMessage = Effect.fn("Drafts.sentMessage")(
      function* (organization: OrganizationId, id: DraftId) {
        const { sentMessageId } = yield* get(organization, id)
        return sentMessageId === undefined ? yield* new NotCreated() : yield* messages.get(organization, sentMessageId)
      },
      Effect.retry({ while: Predicate.isTagged("NotCreated"), ...awaitSend })
    )

    return { get, list: repo.list, create, update, remove, release, send, sentMessage } as const
  })
}) {}
