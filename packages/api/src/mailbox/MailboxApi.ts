import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "@effect/platform"
import { ConflictError, PayloadTooLargeError, ResourceNotFoundError, ValidationError } from "@switchboard/domain/Errors"
import {
  MailboxAnswer,
  MailboxMail,
  MailboxMailId,
  MailboxMailSummary,
  MailboxReply,
  MailboxSimulation
} from "@switchboard/domain/mailbox/MailboxMail"
import { MessageId } from "@switchboard/domain/messages/Message"
import { Page, PageParams } from "@switchboard/domain/Page"
import { Schema } from "effect"
import { Audit, attachmentBody, auditReasons, BodyLimit, Extension, Permission } from "../Annotations.js"
import { Authorization } from "../Authorization.js"
import { IdempotencyHeaders } from "../idempotency/IdempotencyKeyHeader.js"

/** Query parameters of the list of mails. */
export const MailboxListParams = Schema.Struct({ ...PageParams, messageId: Schema.optional(MessageId) })

export const MailboxPage = Page(MailboxMailSummary).annotations({ identifier: "MailboxPage" })

/** The response of a simulation. */
export const Simulated = Schema.Struct({ success: Schema.Literal(true) }).annotations({ identifier: "Simulated" })

/** Mails of the local mailbox, which is used without a relay. */
export class MailboxApi extends HttpApiGroup.make("mailbox")
  .add(
    HttpApiEndpoint.get("list", "/mailbox")
      .setUrlParams(MailboxListParams)
      .addSuccess(MailboxPage)
      .annotate(Permission, "messages.read")
      .annotate(Extension, true)
      .annotate(OpenApi.Summary, "List the local mailbox")
      .annotate(OpenApi.Description, "Mails of the organization in the local mailbox, newest first.")
  )
  .add(
    HttpApiEndpoint.get("get", "/mailbox/:id")
      .setPath(Schema.Struct({ id: MailboxMailId }))
      .addSuccess(MailboxMail)
      .addError(ResourceNotFoundError)
      .annotate(Permission, "messages.read")
      .annotate(Extension, true)
      .annotate(OpenApi.Summary, "Retrieve a mail of the local mailbox")
      .annotate(OpenApi.Description, "Returns the mail as received.")
  )
  .add(
    HttpApiEndpoint.post("reply", "/mailbox/:id/reply")
      .setPath(Schema.Struct({ id: MailboxMailId }))
      .setHeaders(IdempotencyHeaders)
      .setPayload(MailboxReply)
      .addSuccess(MailboxAnswer, { status: 201 })
      .addError(ConflictError)
      .addError(PayloadTooLargeError)
      .addError(ResourceNotFoundError)
      .addError(ValidationError)
      .annotate(Audit, { unaudited: auditReasons.sandbox })
      .annotate(Permission, "messages.send")
      .annotate(BodyLimit, attachmentBody)
      .annotate(Extension, true)
      .annotate(OpenApi.Summary, "Reply to a mail of the local mailbox")
      .annotate(
        OpenApi.Description,
        [
          "Simulates the recipient. The reply is sent over SMTP to the inbound server of this service:",
          "",
          "- It is addressed to `Reply-To` of the mail, or to its author.",
          "- It has `In-Reply-To` and `References`, and quotes the mail below `text`.",
          "- 201 means that the inbound server took it. The message appears in its thread and conversation shortly after.",
          "- 409: the inbound server rejected the recipients. The message contains its reply.",
          "- 503: the inbound server cannot be reached."
        ].join("\n")
      )
  )
  .add(
    HttpApiEndpoint.post("simulate", "/mailbox/:id/simulate")
      .setPath(Schema.Struct({ id: MailboxMailId }))
      .setPayload(MailboxSimulation)
      .addSuccess(Simulated)
      .addError(ConflictError)
      .addError(PayloadTooLargeError)
      .addError(ResourceNotFoundError)
      .addError(ValidationError)
      .annotate(Audit, { unaudited: auditReasons.sandbox })
      .annotate(Permission, "messages.send")
      .annotate(Extension, true)
      .annotate(OpenApi.Summary, "Simulate an event of a mail in the local mailbox")
      .annotate(
        OpenApi.Description,
        [
          "Simulates what happens to a delivered mail, for all recipients of its envelope:",
          "",
          "- `bounce`: a delivery status notification (RFC 3464, status 5.1.1) is sent over SMTP to the return path of the mail.",
          "- `complaint`: a feedback report (RFC 5965) is sent over SMTP to the return path, one for each recipient. Without a return path of this service, the complaint is recorded directly.",
          "- `read`: the tracking pixel in the HTML is loaded from `PUBLIC_URL`.",
          "",
          "The event changes the message shortly after the response, as for mail that left the service. A repeat changes nothing.",
          "",
          "- 409: the mail has no return path of this service (`bounce`), no `Feedback-ID` of the organization (`complaint`) or no tracking pixel (`read`), or the inbound server rejected the report.",
          "- 503: the inbound server or `PUBLIC_URL` cannot be reached."
        ].join("\n")
      )
  )
  .middleware(Authorization)
  .annotate(OpenApi.Title, "Local mailbox") {}
