import { HttpApiBuilder } from "@effect/platform"
import { AuditEntry } from "@switchboard/domain/audit/AuditEntry"
import { pageRequest } from "@switchboard/domain/Page"
import { Exports } from "@switchboard/services/analytics/Exports"
import { AuditLog } from "@switchboard/services/audit/AuditLog"
import { Effect, Schema } from "effect"
import { Api } from "../Api.js"
import { CurrentCaller } from "../Authorization.js"
import { exportResponse, ndjsonText } from "../csv/Csv.js"
import { withBodies } from "../http/WithBodies.js"

const encode = Schema.encodeSync(AuditEntry)

export const AuditHttp = HttpApiBuilder.group(
  Api,
  "audit",
  Effect.fnUntraced(function* (handlers) {
    const log = yield* AuditLog
    const exports = yield* Exports
    return yield* handlers
      .handle("list", ({ urlParams: { filters = {}, ...params } }) =>
        Effect.flatMap(CurrentCaller, ({ organizationId }) => log.list(organizationId, filters, pageRequest(params)))
      )
      .handleRaw("export", ({ urlParams: { filters = {} } }) =>
        Effect.flatMap(CurrentCaller, ({ organizationId }) =>
          Effect.flatMap(exports.audit(organizationId, filters), (pages) =>
            exportResponse(
              "audit",
              "ndjson",
              ndjsonText((entry: AuditEntry) => encode(entry), pages)
            )
          )
        )
      )
      .pipe(withBodies)
  })
)
