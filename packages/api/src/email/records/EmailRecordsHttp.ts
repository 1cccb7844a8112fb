import { HttpApiBuilder } from "@effect/platform"
import { EmailRecord } from "@switchboard/domain/email/records/EmailRecord"
import { EmailRecords } from "@switchboard/services/email/records/EmailRecords"
import { Effect } from "effect"
import { Api } from "../../Api.js"
import { CurrentCaller } from "../../Authorization.js"
import { respond } from "../../Respond.js"

const answerRecord = respond(EmailRecord)

export const EmailRecordsHttp = HttpApiBuilder.group(
  Api,
  "emailRecords",
  Effect.fnUntraced(function* (handlers) {
    const records = yield* EmailRecords
    return handlers.handleRaw("get", ({ path: { id } }) =>
      Effect.flatMap(CurrentCaller, ({ organizationId }) =>
        Effect.map(records.get(organizationId, id), (found) => answerRecord(found))
      )
    )
  })
)
