import { HttpApiBuilder } from "@effect/platform"
import { permits } from "@switchboard/domain/apiKeys/Permission"
import { EmailSender } from "@switchboard/domain/email/senders/EmailSender"
import { CreateEmailSender } from "@switchboard/domain/email/senders/SenderRequests"
import { SenderStanding } from "@switchboard/domain/email/senders/SenderStanding"
import { pageRequest } from "@switchboard/domain/Page"
import { ManagedSenders } from "@switchboard/services/email/senders/ManagedSenders"
import { Effect } from "effect"
import { Api } from "../../Api.js"
import { CurrentCaller } from "../../Authorization.js"
import { readBody } from "../../Door.js"
import { respond } from "../../Respond.js"
import { Removed } from "../../Wire.js"
import { EmailSenderPage } from "./SendersApi.js"

const answerCreated = respond(EmailSender, 201)
const answerPage = respond(EmailSenderPage)
const answerStanding = respond(SenderStanding)
const answerRemoved = respond(Removed)

const readCreate = readBody(CreateEmailSender)

export const SendersHttp = HttpApiBuilder.group(
  Api,
  "senders",
  Effect.fnUntraced(function* (handlers) {
    const senders = yield* ManagedSenders
    return handlers
      .handleRaw("list", ({ urlParams: { filters = {}, ...params } }) =>
        Effect.gen(function* () {
          const { organizationId, permissions } = yield* CurrentCaller
          const withToken = permits(permissions, "domains.write")
          return answerPage(yield* senders.list(organizationId, filters, pageRequest(params), { withToken }))
        })
      )
      .handleRaw("create", () =>
        Effect.gen(function* () {
          const caller = yield* CurrentCaller
          return answerCreated(yield* senders.create(caller, yield* readCreate))
        })
      )
      .handleRaw("verification", ({ path: { id } }) =>
        Effect.flatMap(CurrentCaller, ({ organizationId }) =>
          Effect.map(senders.verification(organizationId, id), (standing) => answerStanding(standing))
        )
      )
      .handleRaw("remove", ({ path: { id } }) =>
        Effect.flatMap(CurrentCaller, ({ organizationId }) =>
          Effect.map(senders.remove(organizationId, id), () => answerRemoved({ success: true }))
        )
      )
  })
)
