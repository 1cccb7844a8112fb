import { ResourceNotFoundError } from "@switchboard/domain/Errors"
import { EmailRecord } from "@switchboard/domain/email/records/EmailRecord"
import type { MessageId } from "@switchboard/domain/messages/Message"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { Effect } from "effect"
import { ObjectLinks } from "../../objects/ObjectLinks.js"
import { EmailRecordRepo } from "./EmailRecordRepo.js"

/** Sent and received e-mails. */
export class EmailRecords extends Effect.Service<EmailRecords>()("services/EmailRecords", {
  effect: Effect.gen(function* () {
    const repo = yield* EmailRecordRepo
    const links = yield* ObjectLinks

    /** An e-mail with everything that is stored about it. Blind copy recipients are shown for sent mail only. */
    const get = Effect.fn("EmailRecords.get")(function* (organization: OrganizationId, id: MessageId) {
      const found = yield* repo.find(organization, id)
      const notFound = () => new ResourceNotFoundError({ resource: "email", id })
      const { authentication, files, headers, message, size } = yield* Effect.mapError(found, notFound)
      const { content, createdAt, deliveredAt, direction, emailMetadata, sentAt, status, threadId } = message
      if (emailMetadata == null) return yield* notFound()
      const attachments = yield* Effect.forEach(files, ({ key, ...file }) =>
        Effect.map(links.downloadUrl(key, file), (url) => ({ ...file, url }))
      )
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
          attachments,
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

    return { get } as const
  })
}) {}
