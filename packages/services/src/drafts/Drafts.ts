import { Draft, type DraftContent, DraftId, type DraftRecipient } from "@switchboard/domain/drafts/Draft"
import type { CreateDraft, UpdateDraft } from "@switchboard/domain/drafts/DraftRequests"
import { ConflictError, ResourceNotFoundError } from "@switchboard/domain/Errors"
import { TemplateId } from "@switchboard/domain/email/templates/Template"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { DateTime, Duration, Effect, Schema } from "effect"
import { unusedLast } from "../attachments/AttachmentRepo.js"
import { Templates } from "../email/templates/Templates.js"
import type { Caller } from "../messages/Caller.js"
import { newId } from "../NewId.js"
import { ParticipantRepo } from "../participants/ParticipantRepo.js"
import { DraftRepo, type StoredDraft } from "./DraftRepo.js"
import { type JudgeSend, submitDraft } from "./SubmitDraft.js"

const isTemplateId = Schema.is(TemplateId)

/**
 * A draft may lack anything, but it names nothing that the organization does not have. Files are for the store to find:
 * it keeps those that are named.
 */
const draftReferences = Effect.gen(function* () {
  const participants = yield* ParticipantRepo
  const templates = yield* Templates

  return Effect.fnUntraced(function* (
    organization: OrganizationId,
    recipients: ReadonlyArray<DraftRecipient>,
    { templateId }: DraftContent
  ) {
    const named = recipients.flatMap(({ participantId }) => participantId ?? [])
    const known = named.length === 0 ? [] : yield* participants.findMany(organization, named)
    const unknown = named.find((id) => known.every((one) => one.id !== id))
    if (unknown !== undefined) return yield* new ResourceNotFoundError({ resource: "participant", id: unknown })
    // Who has not chosen one yet may say so by an empty text.
    if (templateId === undefined || templateId === "") return
    if (!isTemplateId(templateId)) return yield* new ResourceNotFoundError({ resource: "template", id: templateId })
    yield* templates.get(organization, templateId)
  })
})

/** How long whoever sends a draft has it to itself: nobody edits what is just being sent. */
const holdsLast = Duration.seconds(15)

const conflict = (message: string) => new ConflictError({ message, resource: "draft" })

const unlessHeld = ({ heldUntil }: StoredDraft, now: DateTime.Utc) =>
  heldUntil !== null && DateTime.greaterThan(heldUntil, now) ? conflict("The draft is just being sent") : Effect.void

const unlessClosed = (stored: StoredDraft, now: DateTime.Utc) =>
  stored.draft.sentMessageId === undefined
    ? unlessHeld(stored, now)
    : conflict("The draft was sent: it is neither edited nor sent any more")

/** The drafts of an organization: written bit by bit, and sent once. */
export class Drafts extends Effect.Service<Drafts>()("services/Drafts", {
  effect: Effect.gen(function* () {
    const repo = yield* DraftRepo
    const checkReferences = yield* draftReferences
    const submit = yield* submitDraft

    const notFound = (id: DraftId) => new ResourceNotFoundError({ resource: "draft", id })

    const get = Effect.fn("Drafts.get")(function* (organization: OrganizationId, id: DraftId) {
      return yield* Effect.mapError(yield* repo.find(organization, id), () => notFound(id))
    })

    const create = Effect.fn("Drafts.create")(function* (
      { apiKeyId, organizationId }: Pick<Caller, "apiKeyId" | "organizationId">,
      { channel, content, recipients, title }: CreateDraft
    ) {
      yield* checkReferences(organizationId, recipients, content)
      const { id, now } = yield* newId(DraftId)
      const draft = new Draft({
        ...{ id, organizationId, channel, recipients, content, title },
        ...{ lastEditedAt: now, createdAt: now, createdBy: apiKeyId }
      })
      yield* repo.insert(draft)
      return draft
    })

    /** Decides what becomes of a draft, by how it is now. */
    const change = Effect.fnUntraced(function* <E>(
      organization: OrganizationId,
      id: DraftId,
      decide: (stored: StoredDraft, now: DateTime.Utc) => Effect.Effect<StoredDraft, E>
    ) {
      const now = yield* DateTime.now
      const unusedUntil = DateTime.addDuration(now, unusedLast)
      const changed = yield* repo.change(organization, id, unusedUntil, (stored) => decide(stored, now))
      return yield* Effect.mapError(changed, () => notFound(id))
    })

    /** Changes what is given of a draft that was not sent. */
    const update = Effect.fn("Drafts.update")(function* (
      organization: OrganizationId,
      id: DraftId,
      { title, ...given }: UpdateDraft
    ) {
      yield* get(organization, id)
      yield* checkReferences(organization, given.recipients ?? [], given.content ?? {})
      return yield* change(organization, id, (stored, now) =>
        Effect.as(unlessClosed(stored, now), {
          heldUntil: null,
          draft: new Draft({
            ...stored.draft,
            channel: given.channel ?? stored.draft.channel,
            recipients: given.recipients ?? stored.draft.recipients,
            content: given.content ?? stored.draft.content,
            title: title === undefined ? stored.draft.title : (title ?? undefined),
            lastEditedAt: now
          })
        })
      )
    })

    /** Removes a draft, sent or not; what it was sent as stays. */
    const remove = Effect.fn("Drafts.remove")(function* (organization: OrganizationId, id: DraftId) {
      const now = yield* DateTime.now
      const unusedUntil = DateTime.addDuration(now, unusedLast)
      const isGone = yield* repo.remove(organization, id, unusedUntil, (stored) => unlessHeld(stored, now))
      if (!isGone) return yield* notFound(id)
    })

    /** Lets go of a draft: whether it was sent, the store knows. */
    const release = (organization: OrganizationId, id: DraftId) =>
      change(organization, id, (stored) => Effect.succeed({ ...stored, heldUntil: null }))

    /**
     * Sends a draft, once. It is held meanwhile, so that what is sent is what it says from then on; a refusal leaves it
     * as it is.
     */
    const send = Effect.fn("Drafts.send")(function* (caller: Caller, id: DraftId, judge: JudgeSend) {
      const { organizationId } = caller
      return yield* Effect.acquireUseRelease(
        change(organizationId, id, (stored, now) =>
          Effect.as(unlessClosed(stored, now), { ...stored, heldUntil: DateTime.addDuration(now, holdsLast) })
        ),
        (draft) => submit(caller, draft, judge),
        // The message is accepted or refused by now: the caller hears that, whatever becomes of the hold.
        () => Effect.ignore(release(organizationId, id))
      )
    })

    return { get, list: repo.list, create, update, remove, release, send } as const
  })
}) {}
