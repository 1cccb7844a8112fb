import { MimeWriterLive } from "@switchboard/channels/messages/MimeWriterLive"
import type { Message } from "@switchboard/domain/messages/Message"
import { DomainRepo } from "@switchboard/services/email/domains/DomainRepo"
import { SigningKeys } from "@switchboard/services/email/domains/SigningKeys"
import { EmailRecordRepo } from "@switchboard/services/email/records/EmailRecordRepo"
import { EmailRecords } from "@switchboard/services/email/records/EmailRecords"
import { HtmlParts } from "@switchboard/services/email/records/HtmlParts"
import { RawMails } from "@switchboard/services/email/records/RawMails"
import { sentFileId, sentFileKey } from "@switchboard/services/email/records/SentFiles"
import { DeliveryConfirmation } from "@switchboard/services/messages/delivery/DeliveryConfirmation"
import { OutgoingMails } from "@switchboard/services/messages/delivery/OutgoingMails"
import { MessageRepo } from "@switchboard/services/messages/MessageRepo"
import { PublicUrl } from "@switchboard/services/PublicUrl"
import { Effect, Layer, Option } from "effect"
import { linksInMemory } from "../../objects/LinksInMemory.js"
import { ApiSecrets } from "../../StoredUseCases.js"

/** An e-mail record of a message, with an attachment. */
export const recordsInMemory = (message: Message) => {
  const mine =
    <A>(value: A) =>
    (owner: Message["organizationId"], id: Message["id"]) =>
      Effect.succeed(Option.liftPredicate(value, () => owner === message.organizationId && id === message.id))
  return Layer.mergeAll(
    EmailRecords.Default,
    HtmlParts.Default,
    RawMails.Default.pipe(
      Layer.provide(OutgoingMails.Default),
      Layer.provide(Layer.merge(MimeWriterLive, SigningKeys.Default))
    )
  ).pipe(
    Layer.provide(linksInMemory()),
    Layer.provide(
      Layer.mergeAll(
        ApiSecrets,
        Layer.succeed(DeliveryConfirmation, "accept"),
        Layer.succeed(PublicUrl, "https://mail.test"),
        Layer.mock(DomainRepo, { signingKey: () => Effect.succeedNone }),
        Layer.mock(MessageRepo, { findComplete: mine({ message, attachments: [], trackOpens: false }) }),
        Layer.mock(EmailRecordRepo, {
          find: mine({
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
          })
        })
      )
    )
  )
}
