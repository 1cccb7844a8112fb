import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "@effect/platform"
import { ResourceNotFoundError } from "@switchboard/domain/Errors"
import { MailboxMail, MailboxMailId, MailboxMailSummary } from "@switchboard/domain/mailbox/MailboxMail"
import { Page, PageParams } from "@switchboard/domain/Page"
import { Schema } from "effect"
import { Permission } from "../Annotations.js"
import { Authorization } from "../Authorization.js"

export const MailboxPage = Page(MailboxMailSummary).annotations({ identifier: "MailboxPage" })

/** What the local mailbox got, when no relay is set. */
export class MailboxApi extends HttpApiGroup.make("mailbox")
  .add(
    HttpApiEndpoint.get("list", "/mailbox")
      .setUrlParams(Schema.Struct(PageParams))
      .addSuccess(MailboxPage)
      .annotate(Permission, "messages.read")
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
      .annotate(OpenApi.Summary, "Read a mail of the local mailbox")
      .annotate(OpenApi.Description, "An extension. The mail as it arrived.")
  )
  .middleware(Authorization)
  .annotate(OpenApi.Title, "Local mailbox") {}
