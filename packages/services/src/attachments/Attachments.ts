import {
  AttachmentId,
  type UploadAttachment,
  UploadedAttachment
} from "@switchboard/domain/attachments/UploadedAttachment"
import { ResourceNotFoundError } from "@switchboard/domain/Errors"
import { type Attachment, attachmentBytes, FileContent } from "@switchboard/domain/messages/Attachment"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { DateTime, Effect, Option } from "effect"
import { reserveKey } from "../idempotency/CreateOnce.js"
import { newId } from "../NewId.js"
import { ObjectStore } from "../objects/ObjectStore.js"
import { AttachmentRepo, attachmentKey, unusedRetention } from "./AttachmentRepo.js"

/** Files uploaded for drafts. */
export class Attachments extends Effect.Service<Attachments>()("services/Attachments", {
  effect: Effect.gen(function* () {
    const repo = yield* AttachmentRepo
    const store = yield* ObjectStore
    const reserve = yield* reserveKey

    const notFound = (id: AttachmentId) => new ResourceNotFoundError({ resource: "attachment", id })

    /** Stores a file. Its metadata is stored first, so that a crash leaves an unnamed file that expires. */
    const upload = Effect.fn("Attachments.upload")(function* (organization: OrganizationId, file: UploadAttachment) {
      const { contentType, filename } = file
      const bytes = attachmentBytes(file)
      const { id, now } = yield* newId(AttachmentId)
      const attachment = new UploadedAttachment({ id, filename, contentType, size: bytes.byteLength, createdAt: now })
      yield* repo.insert(organization, attachment, DateTime.addDuration(now, unusedRetention))
      // The key is stored last: a repeated request must not get a file without content.
      yield* store.put(attachmentKey(organization, id), bytes, contentType).pipe(
        Effect.zipRight(reserve(id, Effect.void)),
        Effect.onError(() => Effect.ignore(repo.expire(organization, id, now)))
      )
      return attachment
    })

    /** The metadata of files, in the order of `ids`. */
    const find = Effect.fnUntraced(function* (organization: OrganizationId, ids: ReadonlyArray<AttachmentId>) {
      const found = ids.length === 0 ? [] : yield* repo.findMany(organization, ids)
      return yield* Effect.forEach(ids, (id) =>
        Effect.mapError(Effect.fromNullable(found.find((one) => one.id === id)), () => notFound(id))
      )
    })

    /** The metadata of a file. */
    const get = Effect.fn("Attachments.get")(function* (organization: OrganizationId, id: AttachmentId) {
      const [attachment] = yield* repo.findMany(organization, [id])
      return yield* Effect.mapError(Effect.fromNullable(attachment), () => notFound(id))
    })

    /** Reads files as attachments of a send. */
    const read = (organization: OrganizationId, files: ReadonlyArray<UploadedAttachment>) =>
      Effect.forEach(
        files,
        Effect.fnUntraced(function* ({ contentType, filename, id }) {
          const bytes = yield* store.get(attachmentKey(organization, id))
          const content = yield* Effect.mapError(
            Option.map(bytes, (octets) => new FileContent(octets)),
            () => notFound(id)
          )
          const attachment: Attachment = { filename, contentType, content }
          return attachment
        })
      )

    return { upload, get, find, read } as const
  })
}) {}
