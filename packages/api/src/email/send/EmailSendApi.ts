import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "@effect/platform"
import {
  ConflictError,
  ExternalServiceError,
  PayloadTooLargeError,
  PaymentRequiredError,
  ResourceNotFoundError,
  ValidationError
} from "@switchboard/domain/Errors"
import { EmailSendRequest } from "@switchboard/domain/email/send/EmailSendRequest"
import { MessageId } from "@switchboard/domain/messages/Message"
import { MessageStatus } from "@switchboard/domain/messages/state/MessageStatus"
import { Schema } from "effect"
import { Audit, attachmentBody, auditReasons, BodyLimit, Location, Permission } from "../../Annotations.js"
import { Authorization } from "../../Authorization.js"
import { IdempotencyHeaders } from "../../idempotency/IdempotencyKeyHeader.js"

/** Id and status of the accepted message. */
export const EmailSent = Schema.Struct({ id: MessageId, status: MessageStatus }).annotations({
  identifier: "EmailSent"
})

/** Sending of e-mails. */
export class EmailSendApi extends HttpApiGroup.make("email")
  .add(
    HttpApiEndpoint.post("send", "/email/send")
      .setHeaders(IdempotencyHeaders)
      .setPayload(EmailSendRequest)
      .addSuccess(EmailSent, { status: 201 })
      .addError(ConflictError)
      .addError(ExternalServiceError)
      .addError(PayloadTooLargeError)
      .addError(PaymentRequiredError)
      .addError(ResourceNotFoundError)
      .addError(ValidationError)
      .annotate(Audit, { unaudited: auditReasons.send })
      .annotate(Location, "/v1/messages/:id")
      .annotate(Permission, "messages.send")
      .annotate(BodyLimit, attachmentBody)
      .annotate(OpenApi.Summary, "Send an e-mail")
      .annotate(
        OpenApi.Description,
        [
          "Sends from the organization's default sender, or from `from` (an extension), as `POST /messages` does.",
          "",
          "- Both operations share their idempotency keys: the same send by either operation is one message, with `Idempotent-Replayed: true`.",
          "- At most 20 attachments, 25 MiB in total, each in base64. The HTML refers to an attachment with a `contentId` as `cid:` and this id.",
          "- With `inReplyToMessageId` the e-mail joins the thread of that message (`In-Reply-To`, `References`)."
        ].join("\n")
      )
  )
  .middleware(Authorization)
  .annotate(OpenApi.Title, "E-mail") {}
