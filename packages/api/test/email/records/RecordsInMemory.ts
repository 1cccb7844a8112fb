import type { Message } from "@switchboard/domain/messages/Message"
import { EmailRecordRepo } from "@switchboard/services/email/records/EmailRecordRepo"
import { EmailRecords } from "@switchboard/services/email/records/EmailRecords"
import { sentFileId, sentFileKey } from "@switchboard/services/email/records/SentFiles"
import { Effect, Layer, Option } from "effect"
import { linksInMemory } from "../../objects/LinksInMemory.js"

/** An e-mail record of a message, with an attachment. */
export const recordsInMemory = (message: Message) =>
  EmailRecords.Default.pipe(
    Layer.provide(linksInMemory()),
    Layer.provide(
      Layer.mock(EmailRecordRepo, {
        find: (owner, id) =>
          Effect.succeed(
            Option.liftPredicate(
              {
                message,
                headers: { "X-One": "1" },
                size: 815,
                authentication: null,
                files: [
                  {
                    id: sentFileId(message.id, 0),
                    filename: "a.txt",
                    contentType: "text/plain",
                    size: 5,
                    key: sentFileKey(message.organizationId, message.id, 0)
                  }
                ]
              },
              () => owner === message.organizationId && id === message.id
            )
          )
      })
    )
  )
