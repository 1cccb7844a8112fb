import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "@effect/platform"
import {
  ConflictError,
  PayloadTooLargeError,
  PaymentRequiredError,
  ResourceNotFoundError,
  ValidationError
} from "@switchboard/domain/Errors"
import { EmailSender, EmailSenderId } from "@switchboard/domain/email/senders/EmailSender"
import { CreateEmailSender, EmailSenderFilters } from "@switchboard/domain/email/senders/SenderRequests"
import { SenderStanding } from "@switchboard/domain/email/senders/SenderStanding"
import { IntegerPageParams, Page } from "@switchboard/domain/Page"
import { Schema } from "effect"
import { Permission } from "../../Annotations.js"
import { Authorization } from "../../Authorization.js"
import { Removed } from "../../CommonShapes.js"
import { Filters } from "../../Filters.js"
import { IdempotencyHeaders } from "../../idempotency/IdempotencyKeyHeader.js"

const id = Schema.Struct({ id: EmailSenderId })

/** Query parameters of the list of senders. */
export const EmailSenderListParams = Schema.Struct({
  ...IntegerPageParams,
  filters: Schema.optional(Filters(EmailSenderFilters, { verificationStatus: "verified", search: "orders" }))
})

export const EmailSenderPage = Page(EmailSender).annotations({ identifier: "EmailSenderPage" })

/** Addresses that an organization sends from. */
export class SendersApi extends HttpApiGroup.make("senders")
  .add(
    HttpApiEndpoint.get("list", "/email/senders")
      .setUrlParams(EmailSenderListParams)
      .addSuccess(EmailSenderPage)
      .annotate(Permission, "domains.read")
      .annotate(OpenApi.Summary, "List senders")
      .annotate(
        OpenApi.Description,
        "Senders of the organization, newest first. `verificationToken` is shown only with the permission `domains.write`. `reputation` is 100 less 10 per percent of bounces and 100 per percent of complaints, over the messages since the start of the day (UTC) 30 days ago."
      )
  )
  .add(
    HttpApiEndpoint.post("create", "/email/senders")
      .setHeaders(IdempotencyHeaders)
      .setPayload(CreateEmailSender)
      .addSuccess(EmailSender, { status: 201 })
      .addError(ConflictError)
      .addError(PayloadTooLargeError)
      .addError(PaymentRequiredError)
      .addError(ValidationError)
      .annotate(Permission, "domains.write")
      .annotate(OpenApi.Summary, "Add a sender")
      .annotate(
        OpenApi.Description,
        [
          "Adds an address to send from.",
          "",
          "- On a verified domain it is `verified` at once.",
          "- On another domain of the organization it is `pending`. A confirmation link is sent to the address; it works once, for 48 hours. After 48 hours the sender is `failed`. Verification of the domain also verifies the sender.",
          "- The sender is also `failed` while its verified domain is `failed`.",
          "- Adding a `failed` sender again sends a new link and replaces its fields. It keeps its id; earlier links no longer work.",
          "- The confirmation mail is sent from the default sender. 409: there is none.",
          "- With `isDefault` it becomes the default sender once it is verified.",
          "- 409: the address is a verified sender, or its link is still valid.",
          "- 402: the plan's limit is reached."
        ].join("\n")
      )
  )
  .add(
    HttpApiEndpoint.get("verification", "/email/senders/:id/verification")
      .setPath(id)
      .addSuccess(SenderStanding)
      .addError(ResourceNotFoundError)
      .annotate(Permission, "domains.read")
      .annotate(OpenApi.Summary, "Check the verification of a sender")
      .annotate(OpenApi.Description, "Returns the verification status of the sender.")
  )
  .add(
    HttpApiEndpoint.del("remove", "/email/senders/:id")
      .setPath(id)
      .addSuccess(Removed)
      .addError(ResourceNotFoundError)
      .annotate(Permission, "domains.write")
      .annotate(OpenApi.Summary, "Delete a sender")
      .annotate(
        OpenApi.Description,
        "Without a default sender, sends must name `from`. Addresses of a verified domain can be used without being senders."
      )
  )
  .middleware(Authorization)
  .annotate(OpenApi.Title, "Senders") {}
