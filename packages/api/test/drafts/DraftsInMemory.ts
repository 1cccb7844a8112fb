import type { UploadedAttachment } from "@switchboard/domain/attachments/UploadedAttachment"
import { ResourceNotFoundError } from "@switchboard/domain/Errors"
import { page } from "@switchboard/domain/Page"
import type { ParticipantId } from "@switchboard/domain/participants/Participant"
import { AttachmentRepo } from "@switchboard/services/attachments/AttachmentRepo"
import { Attachments } from "@switchboard/services/attachments/Attachments"
import { DraftRepo, neededBy, type StoredDraft } from "@switchboard/services/drafts/DraftRepo"
import { Drafts } from "@switchboard/services/drafts/Drafts"
import { ParticipantRepo } from "@switchboard/services/participants/ParticipantRepo"
import { objectsInMemory } from "@switchboard/services/testing/objects/ObjectsInMemory"
import { Effect, Layer, Option } from "effect"

/** Drafts as the use case makes them, kept as long as the test runs. None of them learns that it was sent: that is for the store to know. */
export const draftsInMemory = (contact: ParticipantId) => {
  const drafts = new Map<string, StoredDraft>()
  const files = new Map<string, UploadedAttachment>()

  const store = (stored: StoredDraft) => {
    const missing = neededBy(stored.draft).find((id) => !files.has(id))
    if (missing !== undefined) return new ResourceNotFoundError({ resource: "attachment", id: missing })
    return Effect.sync(() => void drafts.set(stored.draft.id, stored))
  }
  const find = (organization: string, id: string) =>
    Effect.sync(() =>
      Option.filter(Option.fromNullable(drafts.get(id)), ({ draft }) => draft.organizationId === organization)
    )

  const Rows = Layer.succeed(DraftRepo, {
    insert: (draft) => store({ draft, heldUntil: null }),
    find: (organization, id) =>
      Effect.map(
        find(organization, id),
        Option.map(({ draft }) => draft)
      ),
    list: (organization, { channel, search = "" }, request) =>
      Effect.sync(() => {
        const own = [...drafts.values()].flatMap(({ draft }) =>
          draft.organizationId === organization &&
          (channel ?? draft.channel) === draft.channel &&
          (draft.title ?? "").includes(search)
            ? [draft]
            : []
        )
        return page(own.reverse(), own.length, request)
      }),
    change: (organization, id, _, decide) =>
      Effect.flatMap(
        find(organization, id),
        Option.match({
          onNone: () => Effect.succeedNone,
          onSome: (present) => Effect.asSome(Effect.map(Effect.tap(decide(present), store), ({ draft }) => draft))
        })
      ),
    remove: (organization, id, _, mayBe) =>
      Effect.flatMap(
        find(organization, id),
        Option.match({
          onNone: () => Effect.succeed(false),
          onSome: (present) => Effect.map(mayBe(present), () => drafts.delete(id))
        })
      ),
    listLeft: () => Effect.succeed([])
  })

  const Files = Layer.succeed(AttachmentRepo, {
    insert: (_, file) => Effect.sync(() => void files.set(file.id, file)),
    expire: () => Effect.void,
    findMany: (_, ids) => Effect.sync(() => ids.flatMap((id) => files.get(id) ?? [])),
    removeUnused: () => Effect.succeed(0)
  })

  const People = Layer.mock(ParticipantRepo, {
    findMany: (_, ids) =>
      Effect.succeed(
        ids.includes(contact) ? [{ id: contact, name: "Ada", displayName: null, type: "contact" as const }] : []
      )
  })

  return Drafts.Default.pipe(
    Layer.provideMerge(Attachments.Default),
    Layer.provide(Layer.mergeAll(Rows, Files, People, objectsInMemory()))
  )
}
