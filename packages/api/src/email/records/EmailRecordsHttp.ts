import { HttpApiBuilder } from "@effect/platform"
import { EmailRecords } from "@switchboard/services/email/records/EmailRecords"
import { Effect } from "effect"
import { Api } from "../../Api.js"
import { CurrentCaller } from "../../Authorization.js"
import { withBodies } from "../../http/WithBodies.js"

export const EmailRecordsHttp = HttpApiBuilder.group(
  Api,
  "emailRecords",
  Effect.fnUntraced(function* (handlers) {
    const records = yield* EmailRecords
    return handlers
      .handle("get", ({ path: { id } }) =>
        Effect.flatMap(CurrentCaller, ({ organizationId }) => records.get(organizationId, id))
      )
      .pipe(withBodies)
  })
)
