import { ResourceNotFoundError, ServiceUnavailableError } from "@switchboard/domain/Errors"
import type { EmailMetadata, MessageId } from "@switchboard/domain/messages/Message"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { Effect } from "effect"
import { MimeWriter } from "../../messages/delivery/MailTransport.js"
import { OutgoingMails } from "../../messages/delivery/OutgoingMails.js"
import { type CompleteMessage, MessageRepo } from "../../messages/MessageRepo.js"
import { EmailRecordRepo } from "./EmailRecordRepo.js"

const retryAfterSeconds = 60

/** Sent and received e-mails as mails (RFC 5322). */
export class RawMails extends Effect.Service<RawMails>()("services/RawMails", {
  effect: Effect.gen(function* () {
    const messages = yield* MessageRepo
    const records = yield* EmailRecordRepo
    const mails = yield* OutgoingMails
    const writer = yield* MimeWriter

    const composed = (
      { attachments, message, trackOpens }: CompleteMessage,
      { deliveries, ...addressing }: EmailMetadata
    ) =>
      mails
        .shown({
          organizationId: message.organizationId,
          messageId: message.id,
          state: { deliveries },
          content: message.content,
          addressing,
          attachments,
          categories: message.categories,
          trackOpens,
          dueSince: message.scheduledAt ?? message.createdAt,
          createdAt: message.createdAt
        })
        .pipe(
          Effect.flatMap(writer.write),
          Effect.catchTag("SecretUnreadable", ({ message: problem }) =>
            Effect.zipRight(
              Effect.annotateLogs(Effect.logError("A mail can't be composed"), { messageId: message.id, problem }),
              new ServiceUnavailableError({
                message: "The signing key of the mail's domain can't be read now",
                retryAfterSeconds
              })
            )
          )
        )

    /**
     * The octets of an e-mail: as received, or composed from the stored message as for its delivery, without a DKIM
     * signature. Not found if the octets were erased.
     */
    const get = Effect.fn("RawMails.get")(function* (organization: OrganizationId, id: MessageId) {
      const notFound = (resource: string) => new ResourceNotFoundError({ resource, id })
      const found = yield* messages.findComplete(organization, id)
      const complete = yield* Effect.mapError(found, () => notFound("email"))
      const { channel, content, direction, emailMetadata } = complete.message
      if (channel !== "email" || emailMetadata == null) return yield* notFound("email")
      if (direction === "inbound") {
        return yield* Effect.mapError(yield* records.receivedOctets(organization, id), () => notFound("rawEmail"))
      }
      return content.erasedAt === undefined ? yield* composed(complete, emailMetadata) : yield* notFound("rawEmail")
    })

    return { get } as const
  })
}) {}
