import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "@effect/platform"
import { ResourceNotFoundError } from "@switchboard/domain/Errors"
import { EmailRecord } from "@switchboard/domain/email/records/EmailRecord"
import { MessageId } from "@switchboard/domain/messages/Message"
import { Schema } from "effect"
import { Permission } from "../../Annotations.js"
import { Authorization } from "../../Authorization.js"

/** Sent and received e-mails. */
export class EmailRecordsApi extends HttpApiGroup.make("emailRecords")
  .add(
    HttpApiEndpoint.get("get", "/email/:id")
      .setPath(Schema.Struct({ id: MessageId }))
      .addSuccess(EmailRecord)
      .addError(ResourceNotFoundError)
      .annotate(Permission, "email.read")
      .annotate(OpenApi.Summary, "Retrieve an e-mail")
      .annotate(
        OpenApi.Description,
        [
          "Returns the e-mail of a sent or received message.",
          "",
          "- Received mail has the results of SPF, DKIM and DMARC.",
          "- The HTML of received mail is not sanitized. It refers to inline files as `cid:`.",
          "- Each attachment has a download link that needs no key, valid for 15 minutes. Repeat the request for a new link."
        ].join("\n")
      )
  )
  .middleware(Authorization)
  .annotate(OpenApi.Title, "E-mails") {}
