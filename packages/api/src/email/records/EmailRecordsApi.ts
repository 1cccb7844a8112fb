import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "@effect/platform"
import { ResourceNotFoundError } from "@switchboard/domain/Errors"
import { EmailRecord } from "@switchboard/domain/email/records/EmailRecord"
import { MessageId } from "@switchboard/domain/messages/Message"
import { Schema } from "effect"
import { Examples, Permission } from "../../Annotations.js"
import { Authorization } from "../../Authorization.js"
import { emailRecordExamples } from "./EmailRecordExamples.js"

/** E-mails as they went out and came in. */
export class EmailRecordsApi extends HttpApiGroup.make("emailRecords")
  .add(
    HttpApiEndpoint.get("get", "/email/:id")
      .setPath(Schema.Struct({ id: MessageId }))
      .addSuccess(EmailRecord)
      .addError(ResourceNotFoundError)
      .annotate(Permission, "email.read")
      .annotate(OpenApi.Summary, "Get an e-mail")
      .annotate(
        OpenApi.Description,
        "The e-mail of a message, in either direction, by the message's id. Mail that came in says what SPF, DKIM and DMARC say of it; its html is a stranger's, and names its inline files by `cid:`. Each attachment has a link that downloads it without a key for 15 minutes: ask again for another."
      )
  )
  .middleware(Authorization)
  .annotate(Examples, emailRecordExamples)
  .annotate(OpenApi.Title, "E-mails") {}
