import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "@effect/platform"
import { ConflictError, PayloadTooLargeError, ResourceNotFoundError, ValidationError } from "@switchboard/domain/Errors"
import { MailboxMail, MailboxMailId, MailboxMailSummary } from "@switchboard/domain/mailbox/MailboxMail"
import { MailboxAnswer, MailboxReply } from "@switchboard/domain/mailbox/MailboxReply"
import { Page, PageParams } from "@switchboard/domain/Page"
import { Schema } from "effect"
import { attachmentBody, BodyLimit, Examples, Extension, Permission } from "../Annotations.js"
import { Authorization } from "../Authorization.js"
import { mailboxExamples } from "./MailboxExamples.js"

export const MailboxPage = Page(MailboxMailSummary).annotations({ identifier: "MailboxPage" })

/** What the local mailbox got, when no relay is set. */
export class MailboxApi extends HttpApiGroup.make("mailbox")
  .add(
    HttpApiEndpoint.get("list", "/mailbox")
      .setUrlParams(Schema.Struct(PageParams))
      .addSuccess(MailboxPage)
      .annotate(Permission, "messages.read")
      .annotate(Extension, true)
      .annotate(OpenApi.Summary, "List the local mailbox")
      .annotate(
        OpenApi.Description,
        "An extension. The mails of the organization that the local mailbox took, newest first."
      )
  )
  .add(
    HttpApiEndpoint.get("get", "/mailbox/:id")
      .setPath(Schema.Struct({ id: MailboxMailId }))
      .addSuccess(MailboxMail)
      .addError(ResourceNotFoundError)
      .annotate(Permission, "messages.read")
      .annotate(Extension, true)
      .annotate(OpenApi.Summary, "Read a mail of the local mailbox")
      .annotate(OpenApi.Description, "An extension. The mail as it arrived.")
  )
  .add(
    HttpApiEndpoint.post("reply", "/mailbox/:id/reply")
      .setPath(Schema.Struct({ id: MailboxMailId }))
      .setPayload(MailboxReply)
      .addSuccess(MailboxAnswer, { status: 201 })
      .addError(ConflictError)
      .addError(PayloadTooLargeError)
      .addError(ResourceNotFoundError)
      .addError(ValidationError)
      .annotate(Permission, "messages.send")
      .annotate(BodyLimit, attachmentBody)
      .annotate(Extension, true)
      .annotate(OpenApi.Summary, "Answer a mail of the local mailbox")
      .annotate(
        OpenApi.Description,
        "An extension. Plays the recipient: the answer goes over SMTP to where this service receives mail, addressed to the mail's `Reply-To` or else its author, with `In-Reply-To`, `References` and the mail quoted below `text`. 201 means that it was taken there: moments later it is a message of the thread and of the conversation. Addresses that nobody takes mail for here are a 409 with the server's words; a server that can't be reached, a 503."
      )
  )
  .middleware(Authorization)
  .annotate(Examples, mailboxExamples)
  .annotate(OpenApi.Title, "Local mailbox") {}
