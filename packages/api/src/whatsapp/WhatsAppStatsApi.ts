import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "@effect/platform"
import { DateRangeParams } from "@switchboard/domain/analytics/DateRange"
import { WhatsAppStats } from "@switchboard/domain/whatsapp/WhatsAppStats"
import { Schema } from "effect"
import { Permission } from "../Annotations.js"
import { Authorization } from "../Authorization.js"
import { rangeDescription } from "../analytics/RangeDescription.js"

/** Statistics of WhatsApp messages. */
export class WhatsAppStatsApi extends HttpApiGroup.make("whatsappStats")
  .add(
    HttpApiEndpoint.get("get", "/whatsapp/stats")
      .setUrlParams(Schema.Struct(DateRangeParams))
      .addSuccess(WhatsAppStats)
      .annotate(Permission, "whatsapp.read")
      .annotate(OpenApi.Summary, "Count WhatsApp messages")
      .annotate(OpenApi.Description, `Counts messages by status.\n\n${rangeDescription}`)
  )
  .middleware(Authorization)
  .annotate(OpenApi.Title, "WhatsApp statistics") {}
