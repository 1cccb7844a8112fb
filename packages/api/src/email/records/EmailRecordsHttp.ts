import { HttpApiBuilder, HttpServerResponse } from "@effect/platform"
import { EmailRecords } from "@switchboard/services/email/records/EmailRecords"
import { HtmlParts, RawMails } from "@switchboard/services/email/records/RawMails"
import { EmailStatistics } from "@switchboard/services/email/stats/EmailStatistics"
import { Effect } from "effect"
import { Api } from "../../Api.js"
import { CurrentCaller } from "../../Authorization.js"
import { withBodies } from "../../http/WithBodies.js"
import { attachmentDisposition } from "../../objects/ObjectsHttp.js"
import { sandboxedHtml } from "./SandboxedHtml.js"

export const EmailStatsHttp = HttpApiBuilder.group(
  Api,
  "emailStats",
  Effect.fnUntraced(function* (handlers) {
    const { stats } = yield* EmailStatistics
    return yield* handlers
      .handle("get", ({ urlParams }) =>
        Effect.flatMap(CurrentCaller, ({ organizationId }) => stats(organizationId, urlParams))
      )
      .pipe(withBodies)
  })
)

export const EmailRecordsHttp = HttpApiBuilder.group(
  Api,
  "emailRecords",
  Effect.fnUntraced(function* (handlers) {
    const records = yield* EmailRecords
    const raws = yield* RawMails
    const htmlParts = yield* HtmlParts
    return yield* handlers
      .handle("get", ({ path: { id } }) =>
        Effect.flatMap(CurrentCaller, ({ organizationId }) => records.get(organizationId, id))
      )
      .handle("raw", ({ path: { id } }) =>
        Effect.gen(function* () {
          const { organizationId } = yield* CurrentCaller
          return HttpServerResponse.uint8Array(yield* raws.get(organizationId, id), {
            contentType: "message/rfc822",
            headers: { "content-disposition": attachmentDisposition(`${id}.eml`) }
          })
        })
      )
      .handle("html", ({ path: { id } }) =>
        Effect.flatMap(CurrentCaller, ({ organizationId }) =>
          Effect.map(htmlParts.get(organizationId, id), sandboxedHtml)
        )
      )
      .pipe(withBodies)
  })
)
