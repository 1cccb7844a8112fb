import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "@effect/platform"
import { MessageId } from "@switchboard/domain/messages/Message"
import { Uuid } from "@switchboard/domain/Uuid"
import { Schema } from "effect"
import { Audit, attachmentBody, auditReasons, BodyLimit, Permission } from "../Annotations.js"
import { Authorization } from "../Authorization.js"
import { EmailId, ListedEmail, ResendEmail, ResendSend, ScheduledAt } from "./ResendEmail.js"
import { ResendFile, ResendList, ResendListParams, RetrievedFile, referenceOf } from "./ResendShapes.js"

const id = Schema.Struct({ id: MessageId })

const keyHeader = Schema.optional(
  Schema.String.annotations({ description: "an idempotency key of 1 to 255 characters, valid for 30 days" })
)

const EmailReference = referenceOf("email", MessageId).annotations({ identifier: "EmailReference" })

const Sends = Schema.Array(ResendSend).annotations({ identifier: "BatchRequest" })

/** The ids of the accepted e-mails. With permissive validation also the errors, by the index of their e-mail. */
export const BatchAccepted = Schema.Struct({
  data: Schema.Array(EmailId),
  errors: Schema.optional(Schema.Array(Schema.Struct({ index: Schema.Int, message: Schema.String })))
}).annotations({ identifier: "CreateBatchEmailsResponse" })

/** Sent e-mails. */
export class ResendEmailsApi extends HttpApiGroup.make("emails")
  .add(
    HttpApiEndpoint.post("send", "/emails")
      .setHeaders(Schema.Struct({ "idempotency-key": keyHeader }))
      .setPayload(ResendSend)
      .addSuccess(EmailId)
      .annotate(Audit, { unaudited: auditReasons.send })
      .annotate(Permission, "messages.send")
      .annotate(BodyLimit, attachmentBody)
      .annotate(OpenApi.Summary, "Send an email")
      .annotate(
        OpenApi.Description,
        "Accepts an email as `POST /v1/messages` does, with which it shares idempotency keys. A tag becomes the tag `name:value`."
      )
  )
  .add(
    HttpApiEndpoint.post("batch", "/emails/batch")
      .setHeaders(
        Schema.Struct({
          "idempotency-key": keyHeader,
          "x-batch-validation": Schema.optional(Schema.Literal("strict", "permissive")).annotations({
            description: "whether an invalid email fails the batch; default: `strict`"
          })
        })
      )
      .setPayload(Sends)
      .addSuccess(BatchAccepted)
      .annotate(Audit, { unaudited: auditReasons.send })
      .annotate(Permission, "messages.send")
      .annotate(BodyLimit, attachmentBody)
      .annotate(OpenApi.Summary, "Send up to 100 emails")
      .annotate(
        OpenApi.Description,
        "With strict validation, an invalid email fails the batch, and none is accepted. With permissive validation, `errors` has the invalid ones. A limit that is reached within the batch fails the request: a repeat with the same idempotency key sends the rest."
      )
  )
  .add(
    HttpApiEndpoint.get("list", "/emails")
      .setUrlParams(ResendListParams)
      .addSuccess(ResendList(ListedEmail).annotations({ identifier: "ListEmailsResponse" }))
      .annotate(Permission, "messages.read")
      .annotate(OpenApi.Summary, "List sent emails")
      .annotate(OpenApi.Description, "Sent emails, newest first.")
  )
  .add(
    HttpApiEndpoint.get("get", "/emails/:id")
      .setPath(id)
      .addSuccess(ResendEmail)
      .annotate(Permission, "messages.read")
      .annotate(OpenApi.Summary, "Retrieve a sent email")
      .annotate(OpenApi.Description, "Returns the content and the last event of a sent email.")
  )
  .add(
    HttpApiEndpoint.patch("update", "/emails/:id")
      .setPath(id)
      .setPayload(
        Schema.Struct({ id: Schema.optional(MessageId), scheduled_at: ScheduledAt }).annotations({
          identifier: "UpdateEmailRequest"
        })
      )
      .addSuccess(EmailReference)
      .annotate(Audit, { withoutValues: auditReasons.history })
      .annotate(Permission, "messages.send")
      .annotate(OpenApi.Summary, "Change the time of a scheduled email")
      .annotate(
        OpenApi.Description,
        "Only a scheduled email can be moved to another time. Otherwise: 422. resend-python repeats the id in the body."
      )
  )
  .add(
    HttpApiEndpoint.post("cancel", "/emails/:id/cancel")
      .setPath(id)
      .addSuccess(EmailReference)
      .annotate(Audit, { withoutValues: auditReasons.history })
      .annotate(Permission, "messages.send")
      .annotate(OpenApi.Summary, "Cancel a scheduled email")
      .annotate(OpenApi.Description, "Only a scheduled email can be cancelled. Otherwise: 422.")
  )
  .add(
    HttpApiEndpoint.get("attachments", "/emails/:id/attachments")
      .setPath(id)
      .setUrlParams(ResendListParams)
      .addSuccess(ResendList(ResendFile).annotations({ identifier: "ListAttachmentsResponse" }))
      .annotate(Permission, "messages.read")
      .annotate(OpenApi.Summary, "List the files of a sent email")
      .annotate(OpenApi.Description, "Each file has a download link, valid for 15 minutes.")
  )
  .add(
    HttpApiEndpoint.get("attachment", "/emails/:id/attachments/:attachmentId")
      .setPath(Schema.Struct({ id: MessageId, attachmentId: Uuid }))
      .addSuccess(RetrievedFile)
      .annotate(Permission, "messages.read")
      .annotate(OpenApi.Summary, "Retrieve a file of a sent email")
      .annotate(OpenApi.Description, "The file has a download link, valid for 15 minutes.")
  )
  .middleware(Authorization)
  .annotate(OpenApi.Title, "Emails") {}
