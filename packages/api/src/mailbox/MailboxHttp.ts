import { HttpApiBuilder } from "@effect/platform"
import { pageRequest } from "@switchboard/domain/Page"
import { Mailbox } from "@switchboard/services/mailbox/Mailbox"
import { MailboxReplies } from "@switchboard/services/mailbox/MailboxReplies"
import { MailboxSimulations } from "@switchboard/services/mailbox/MailboxSimulations"
import { Effect } from "effect"
import { Api } from "../Api.js"
import { CurrentCaller } from "../Authorization.js"
import { withBodies } from "../http/WithBodies.js"
import { handleOnce } from "../idempotency/HandleOnce.js"

export const MailboxHttp = HttpApiBuilder.group(
  Api,
  "mailbox",
  Effect.fnUntraced(function* (handlers) {
    const mailbox = yield* Mailbox
    const once = yield* handleOnce
    const replies = yield* MailboxReplies
    const simulations = yield* MailboxSimulations
    return yield* handlers
      .handle("list", ({ urlParams: { messageId, ...params } }) =>
        Effect.flatMap(CurrentCaller, ({ organizationId }) =>
          mailbox.list(organizationId, messageId, pageRequest(params))
        )
      )
      .handle("get", ({ path: { id } }) =>
        Effect.flatMap(CurrentCaller, ({ organizationId }) => mailbox.get(organizationId, id))
      )
      .handle(
        "reply",
        once(
          ({ path, payload }, { organizationId }) => replies.reply(organizationId, path.id, payload),
          (id, { organizationId }, { path, payload }) => replies.reply(organizationId, path.id, payload, id)
        )
      )
      .handle("simulate", ({ path, payload: { kind } }) =>
        Effect.gen(function* () {
          const { organizationId } = yield* CurrentCaller
          yield* simulations.simulate(organizationId, path.id, kind)
          return { success: true } as const
        })
      )
      .pipe(withBodies)
  })
)
