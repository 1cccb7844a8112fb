import { HttpApiBuilder } from "@effect/platform"
import { pageRequest } from "@switchboard/domain/Page"
import { ServiceWindowId } from "@switchboard/domain/whatsapp/ServiceWindow"
import { ServiceWindows } from "@switchboard/services/whatsapp/ServiceWindows"
import { WhatsAppStatistics } from "@switchboard/services/whatsapp/WhatsAppStatistics"
import { Effect } from "effect"
import { Api } from "../Api.js"
import { CurrentCaller } from "../Authorization.js"
import { withBodies } from "../http/WithBodies.js"
import { handleOnce } from "../idempotency/HandleOnce.js"

export const ServiceWindowsHttp = HttpApiBuilder.group(
  Api,
  "serviceWindows",
  Effect.fnUntraced(function* (handlers) {
    const windows = yield* ServiceWindows
    const once = yield* handleOnce
    return yield* handlers
      .handle("list", ({ urlParams: { filters = {}, ...params } }) =>
        Effect.flatMap(CurrentCaller, ({ organizationId }) =>
          windows.list(organizationId, filters, pageRequest(params))
        )
      )
      .handle(
        "open",
        once(
          ({ payload }, { organizationId }) => windows.open(organizationId, payload.participantId),
          (id, { organizationId }) => windows.get(organizationId, ServiceWindowId.make(id))
        )
      )
      .handle("get", ({ path: { id } }) =>
        Effect.flatMap(CurrentCaller, ({ organizationId }) => windows.get(organizationId, id))
      )
      .handle("activate", ({ payload }) =>
        Effect.flatMap(CurrentCaller, ({ organizationId }) => windows.activate(organizationId, payload))
      )
      .pipe(withBodies)
  })
)

export const WhatsAppStatsHttp = HttpApiBuilder.group(
  Api,
  "whatsappStats",
  Effect.fnUntraced(function* (handlers) {
    const { stats } = yield* WhatsAppStatistics
    return yield* handlers
      .handle("get", ({ urlParams }) =>
        Effect.flatMap(CurrentCaller, ({ organizationId }) => stats(organizationId, urlParams))
      )
      .pipe(withBodies)
  })
)
