import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "@effect/platform"
import { DateRangeParams } from "@switchboard/domain/analytics/DateRange"
import { EmailStats } from "@switchboard/domain/email/stats/EmailStats"
import { Schema } from "effect"
import { Permission } from "../../Annotations.js"
import { Authorization } from "../../Authorization.js"
import { rangeDescription } from "../../analytics/RangeDescription.js"

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
