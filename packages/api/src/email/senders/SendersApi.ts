import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "@effect/platform"
import {
  ConflictError,
  PayloadTooLargeError,
  PaymentRequiredError,
  ResourceNotFoundError,
  ValidationError
} from "@switchboard/domain/Errors"
import {
  CreateEmailSender,
  EmailSender,
  EmailSenderFilters,
  EmailSenderId,
  SenderStanding
} from "@switchboard/domain/email/senders/EmailSender"
import { IntegerPageParams, Page } from "@switchboard/domain/Page"
import { Schema } from "effect"
import { Audit, Credentials, Extension, Permission } from "../../Annotations.js"
import { Authorization } from "../../Authorization.js"
import { Removed } from "../../CommonShapes.js"
import { IdempotencyHeaders } from "../../idempotency/IdempotencyKeyHeader.js"
import { Filters } from "../../JsonParameter.js"

const page = (description: string) =>
  HttpApiSchema.Text({ contentType: "text/html" }).annotations({ description, examples: ["<!doctype html>…"] })

const token = Schema.Struct({
  token: Schema.String.annotations({ description: "the token of the link in a confirmation mail" })
})

/** The confirmation pages of senders. They need no key. */
export class SenderConfirmationsApi extends HttpApiGroup.make("senderConfirmations")
  .add(
    HttpApiEndpoint.get("look", "/email/senders/confirm")
      .setUrlParams(token)
      .addSuccess(page("HTML page with a button that confirms"))
      .addSuccess(page("HTML page: the link is unknown"), { status: 404 })
      .addSuccess(page("HTML page: the link was used, or is older than 48 hours"), { status: 410 })
      .annotate(Credentials, [])
      .annotate(Extension, true)
      .annotate(OpenApi.Summary, "Show the confirmation page of a sender")
      .annotate(
        OpenApi.Description,
        "Page of the link in a confirmation mail. It has a button that confirms. The request changes nothing, because mail scanners follow links. Its language is that of `Accept-Language`, as for the unsubscribe page."
      )
  )
  .add(
    HttpApiEndpoint.post("confirm", "/email/senders/confirm")
      .setUrlParams(token)
      .addSuccess(page("HTML page: the sender is confirmed"))
      .addSuccess(page("HTML page: the link is unknown"), { status: 404 })
      .addSuccess(page("HTML page: the link was used, or is older than 48 hours"), { status: 410 })
      .annotate(Credentials, [])
      .annotate(Extension, true)
      .annotate(OpenApi.Summary, "Confirm a sender")
      .annotate(OpenApi.Description, "Confirms the sender, once, within 48 hours. The request body is ignored.")
  )
  .annotate(OpenApi.Title, "Sender confirmations") {}

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
      .annotate(Audit, { values: "resource", path: "/v1/email/senders/:id" })
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
