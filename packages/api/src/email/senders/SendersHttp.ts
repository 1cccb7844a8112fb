import { HttpApiBuilder } from "@effect/platform"
import { permits } from "@switchboard/domain/apiKeys/Permission"
import { EmailSenderId } from "@switchboard/domain/email/senders/EmailSender"
import { pageRequest } from "@switchboard/domain/Page"
import { ManagedSenders } from "@switchboard/services/email/senders/ManagedSenders"
import { Effect } from "effect"
import { Api } from "../../Api.js"
import { CurrentCaller } from "../../Authorization.js"
import { removed } from "../../CommonShapes.js"
import { withBodies } from "../../http/WithBodies.js"
import { handleOnce } from "../../idempotency/HandleOnce.js"

export const SendersHttp = HttpApiBuilder.group(
  Api,
  "senders",
  Effect.fnUntraced(function* (handlers) {
    const senders = yield* ManagedSenders
    const once = yield* handleOnce
    return yield* handlers
      .handle("list", ({ urlParams: { filters = {}, ...params } }) =>
        Effect.gen(function* () {
          const { organizationId, permissions } = yield* CurrentCaller
          const withToken = permits(permissions, "domains.write")
          return yield* senders.list(organizationId, filters, pageRequest(params), { withToken })
        })
      )
      .handle(
        "create",
        once(
          ({ payload }, caller) => senders.create(caller, payload),
          (id, { organizationId }) => senders.get(organizationId, EmailSenderId.make(id))
        )
      )
      .handle("verification", ({ path: { id } }) =>
        Effect.flatMap(CurrentCaller, ({ organizationId }) => senders.verification(organizationId, id))
      )
      .handle("remove", ({ path: { id } }) =>
        Effect.flatMap(CurrentCaller, ({ organizationId }) => Effect.as(senders.remove(organizationId, id), removed))
      )
      .pipe(withBodies)
  })
)
