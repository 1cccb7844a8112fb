import { ResourceNotFoundError } from "@switchboard/domain/Errors"
import { EmailRecord } from "@switchboard/domain/email/records/EmailRecord"
import { isEmail, MessageId } from "@switchboard/domain/messages/Message"
import { type ObjectKey, objectKey } from "@switchboard/domain/objects/ObjectKey"
import { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { Effect, Layer, Option, Schema, Stream } from "effect"
import { v5 } from "uuid"
import { ObjectLinks } from "../../objects/ObjectLinks.js"
import { ObjectStore } from "../../objects/ObjectStore.js"
import { objectStoreFailed } from "../../objects/ObjectStoreFailed.js"
import { EmailRecordRepo, type RecordedFile } from "./EmailRecordRepo.js"

const area = "sent"

/** The object key of a sent attachment. The content is stored with the message. */
export const sentFileKey = (organization: OrganizationId, message: MessageId, position: number): ObjectKey =>
  objectKey(organization, area, message, String(position))

/** The id of a sent attachment, derived from its message and position (UUID version 5). */
export const sentFileId = (message: MessageId, position: number): string => v5(String(position), message)

const decode = Schema.decodeUnknownOption(
  Schema.Tuple(OrganizationId, Schema.Literal(area), MessageId, Schema.NumberFromString)
)

/** An ObjectStore that also reads sent attachments, so that download links work for both. */
export const ObjectsAndSentFiles = Layer.effect(
  ObjectStore,
  Effect.gen(function* () {
    const objects = yield* ObjectStore
    const records = yield* EmailRecordRepo

    const sent = (key: ObjectKey) =>
      Option.map(decode(key.split("/")), ([organization, , message, position]) =>
        Effect.catchTag(records.sentFile(organization, message, position), "ServiceUnavailableError", () =>
          Effect.fail(objectStoreFailed)
        )
      )

    return {
      ...objects,
      get: (key) => Option.getOrElse(sent(key), () => objects.get(key)),
      read: (key) =>
        Option.match(sent(key), {
          onNone: () => objects.read(key),
          onSome: Effect.map(Option.map((bytes) => ({ contentLength: bytes.byteLength, bytes: Stream.make(bytes) })))
        })
    }
  })
)

/** Sent and received e-mails, and the files of messages. */
export class EmailRecords extends Effect.Service<EmailRecords>()("services/EmailRecords", {
  effect: Effect.gen(function* () {
    const repo = yield* EmailRecordRepo
    const links = yield* ObjectLinks

    const withUrls = (files: ReadonlyArray<RecordedFile>) =>
      Effect.forEach(files, ({ key, ...file }) => Effect.map(links.downloadUrl(key, file), (url) => ({ ...file, url })))

    /** The files of a message of any channel, with download links. */
    const attachments = Effect.fnUntraced(function* (organization: OrganizationId, id: MessageId) {
      const files = yield* repo.files(organization, id)
      return yield* Effect.flatMap(
        Effect.mapError(files, () => new ResourceNotFoundError({ resource: "message", id })),
        withUrls
      )
    })

    /** An e-mail with everything that is stored about it. Blind copy recipients are shown for sent mail only. */
    const get = Effect.fn("EmailRecords.get")(function* (organization: OrganizationId, id: MessageId) {
      const found = yield* repo.find(organization, id)
      const notFound = () => new ResourceNotFoundError({ resource: "email", id })
      const { authentication, files, headers, message, size } = yield* Effect.mapError(found, notFound)
      if (!isEmail(message)) return yield* notFound()
      const { content, createdAt, deliveredAt, direction, emailMetadata, sentAt, status, threadId } = message
      return new EmailRecord(
        {
          id,
          messageId: emailMetadata.messageId,
          direction,
          status,
          from: content.from,
          to: emailMetadata.to,
          cc: emailMetadata.cc,
          ...(direction === "outbound" ? { bcc: emailMetadata.bcc } : {}),
          replyTo: content.replyTo,
          subject: content.subject,
          ...(content.html === "" ? {} : { html: content.html }),
          ...(content.text === "" ? {} : { text: content.text }),
          headers,
          attachments: yield* withUrls(files),
          ...(threadId === null ? {} : { threadId }),
          ...(authentication === null ? {} : { authentication }),
          size,
          createdAt,
          ...(sentAt === null ? {} : { sentAt }),
          ...(deliveredAt === null ? {} : { deliveredAt })
        },
        { disableValidation: true }
      )
    })

    return { attachments, get } as const
  })
}) {}
