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
import { Page, PageParams } from "@switchboard/domain/Page"
import { Schema } from "effect"
import { Examples, Permission } from "../../Annotations.js"
import { Authorization } from "../../Authorization.js"
import { Removed } from "../../CommonShapes.js"
import { Filters } from "../../Filters.js"
import { senderExamples } from "./SenderExamples.js"

const id = Schema.Struct({ id: EmailSenderId })

/** What a list of senders may be narrowed to. */
export const EmailSenderListParams = Schema.Struct({
  ...PageParams,
  filters: Schema.optional(Filters(EmailSenderFilters, { verificationStatus: "verified", search: "orders" }))
})

export const EmailSenderPage = Page(EmailSender).annotations({ identifier: "EmailSenderPage" })

/** The addresses that an organization sends from. */
export class SendersApi extends HttpApiGroup.make("senders")
  .add(
    HttpApiEndpoint.get("list", "/email/senders")
      .setUrlParams(EmailSenderListParams)
      .addSuccess(EmailSenderPage)
      .annotate(Permission, "domains.read")
      .annotate(OpenApi.Summary, "List senders")
      .annotate(
        OpenApi.Description,
        "Senders of the organization, newest first. `search` looks into address and name. `verificationToken` is shown to `domains.write` alone. `reputation` is 100 less 10 for each percent of bounces and 100 for each percent of complaints among the messages of 30 days (the latest 10,000 at most)."
      )
  )
  .add(
    HttpApiEndpoint.post("create", "/email/senders")
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
        "Adds an address to send from. On a verified domain it is verified at once. On another domain of the organization it is `pending` until whoever reads its mail confirms by the link that is sent there (48 hours, once), or the domain is verified; after 48 hours it is `failed`. It is `failed` too when its domain has failed after it was verified, until the domain stands again. Adding one that is `failed` again asks its address again: it keeps its id, takes what this request says, and no earlier link confirms it (201). The mail is a message like any other, from the default sender (409 without one). `verificationToken` names that mail; it confirms nothing by itself. With `isDefault` it becomes the default sender, as soon as it is verified. `replyTo` is where answers to its mail go when a send names none; from a domain that receives they go to the signed address of the message as well, by which they find their thread. An address is one sender (409 while it is verified, or its link holds)."
      )
  )
  .add(
    HttpApiEndpoint.get("verification", "/email/senders/:id/verification")
      .setPath(id)
      .addSuccess(SenderStanding)
      .addError(ResourceNotFoundError)
      .annotate(Permission, "domains.read")
      .annotate(OpenApi.Summary, "Check a sender's verification")
      .annotate(OpenApi.Description, "How far the verification of a sender is.")
  )
  .add(
    HttpApiEndpoint.del("remove", "/email/senders/:id")
      .setPath(id)
      .addSuccess(Removed)
      .addError(ResourceNotFoundError)
      .annotate(Permission, "domains.write")
      .annotate(OpenApi.Summary, "Remove a sender")
      .annotate(
        OpenApi.Description,
        "Erases the sender. After the default one there is none until another becomes it: sends then name their `from`. Addresses of a verified domain may be sent from without being senders."
      )
  )
  .middleware(Authorization)
  .annotate(Examples, senderExamples)
  .annotate(OpenApi.Title, "Senders") {}
