import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "@effect/platform"
import { DateRangeParams } from "@switchboard/domain/analytics/DateRange"
import { ExternalServiceError, ResourceNotFoundError } from "@switchboard/domain/Errors"
import { EmailRecord } from "@switchboard/domain/email/records/EmailRecord"
import { EmailStats } from "@switchboard/domain/email/stats/EmailStats"
import { MessageId } from "@switchboard/domain/messages/Message"
import { Schema } from "effect"
import { Extension, Permission } from "../../Annotations.js"
import { Authorization } from "../../Authorization.js"
import { rangeDescription } from "../../CommonShapes.js"

/** Statistics of e-mails. */
export class EmailStatsApi extends HttpApiGroup.make("emailStats")
  .add(
    HttpApiEndpoint.get("get", "/email/stats")
      .setUrlParams(Schema.Struct(DateRangeParams))
      .addSuccess(EmailStats)
      .annotate(Permission, "email.read")
      .annotate(OpenApi.Summary, "Count e-mails")
      .annotate(
        OpenApi.Description,
        `Counts messages by status. A message that is rejected at once counts as bounced, not as sent.\n\n${rangeDescription}`
      )
  )
  .middleware(Authorization)
  .annotate(OpenApi.Title, "E-mail statistics") {}

/** The octets of a mail (RFC 5322). */
const RawEmail = HttpApiSchema.Uint8Array({ contentType: "message/rfc822" }).annotations({
  identifier: "RawEmail",
  description: "the octets of a mail (RFC 5322)",
  jsonSchema: { type: "string", format: "binary" }
})

const id = Schema.Struct({ id: MessageId })

/** Sent and received e-mails. */
export class EmailRecordsApi extends HttpApiGroup.make("emailRecords")
  .add(
    HttpApiEndpoint.get("get", "/email/:id")
      .setPath(id)
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
  .add(
    HttpApiEndpoint.get("raw", "/email/:id/raw")
      .setPath(id)
      .addSuccess(RawEmail)
      .addError(ResourceNotFoundError)
      .annotate(Permission, "email.read")
      .annotate(Extension, true)
      .annotate(OpenApi.Summary, "Retrieve an e-mail as a mail file")
      .annotate(
        OpenApi.Description,
        [
          "Returns the header and the body of the e-mail (RFC 5322).",
          "",
          "- **Received mail** is returned octet for octet, in any character set. 404 after they were erased (`RETENTION_INBOUND_RAW`).",
          "- **Outbound mail** is composed from the stored message as for its delivery, with the same `Message-ID`, `Date` and content. It has no `DKIM-Signature`. `Reply-To` and `List-Unsubscribe` follow the present state of the domain. 404 after its content was erased.",
          "- **Separate copies:** with the category `marketing` or open tracking, it is the copy of the first recipient, with the working links of that copy.",
          "- The link in the confirmation mail of a sender is shown without its signature."
        ].join("\n")
      )
  )
  .add(
    HttpApiEndpoint.get("html", "/email/:id/html")
      .setPath(id)
      .addSuccess(HttpApiSchema.Text({ contentType: "text/html" }).annotations({ description: "an HTML page" }))
      .addError(ExternalServiceError)
      .addError(ResourceNotFoundError)
      .annotate(Permission, "email.read")
      .annotate(Extension, true)
      .annotate(OpenApi.Summary, "Show the HTML of an e-mail")
      .annotate(
        OpenApi.Description,
        [
          "Returns the HTML part as a page for a frame of the same origin. Hostile content is harmless in it:",
          "",
          "- `Content-Security-Policy` has `sandbox`: no scripts, forms or plug-ins. Nothing is loaded, neither images nor styles nor fonts.",
          "- Links do nothing. SVG and frames are not shown.",
          "- Inline images (`cid:`) are in the page as `data:` URLs, up to 25 MiB over all references.",
          "- 404: the e-mail has no HTML part.",
          "- 502: the object store with the inline images failed."
        ].join("\n")
      )
  )
  .middleware(Authorization)
  .annotate(OpenApi.Title, "E-mails") {}
