import { ServiceUnavailableError } from "@switchboard/domain/Errors"
import type { MailAuthentication } from "@switchboard/domain/email/receiving/MailAuthentication"
import { Effect } from "effect"
import { ObjectStore } from "../../objects/ObjectStore.js"
import type { InboundMail } from "./InboundMail.js"
import type { ReadMail } from "./ReadMail.js"
import { receivedMessage } from "./ReceivedMessage.js"
import { ReceivedMessageRepo } from "./ReceivedMessageRepo.js"
import { partKey, receivedAttachments } from "./ReceivedParts.js"

/** Contents that are stored at the same time. */
const atOnce = 4

/** Mail that people, and programs, write to an organization. */
export class ReceivedMessages extends Effect.Service<ReceivedMessages>()("services/ReceivedMessages", {
  effect: Effect.gen(function* () {
    const repo = yield* ReceivedMessageRepo
    const objects = yield* ObjectStore

    /** What can't be kept now is kept later: the mail waits, and its worker tries again. */
    const unavailable = (message: string) => new ServiceUnavailableError({ message, retryAfterSeconds: 1 })

    /**
     * Makes a message of a mail, in the thread and conversation of what it answers. Its files are stored before it: a
     * message whose files are missing is never seen. Doing it again changes nothing.
     */
    const receive = Effect.fnUntraced(function* (
      mail: InboundMail,
      read: ReadMail,
      authentication: MailAuthentication
    ): Effect.fn.Return<void, ServiceUnavailableError> {
      // What is erased must not come back either.
      if (yield* repo.isReceived(mail.organizationId, mail.id)) return
      const attachments = receivedAttachments(mail, read.parts)
      yield* Effect.forEach(
        read.parts,
        ({ content }, position) =>
          objects.put(
            partKey(mail, position),
            content,
            attachments[position]?.contentType ?? "application/octet-stream"
          ),
        { concurrency: atOnce, discard: true }
      ).pipe(Effect.catchTag("ExternalServiceError", ({ message }) => unavailable(message)))
      yield* repo.receive(receivedMessage(mail, read, authentication, attachments))
    })

    return { receive } as const
  })
}) {}
