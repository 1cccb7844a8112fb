import { HttpApiBuilder } from "@effect/platform"
import { pageRequest } from "@switchboard/domain/Page"
import { Mailbox } from "@switchboard/services/mailbox/Mailbox"
import { MailboxReplies } from "@switchboard/services/mailbox/MailboxReplies"
import { Effect } from "effect"
import { Api } from "../Api.js"
import { CurrentCaller } from "../Authorization.js"
import { withBodies } from "../http/WithBodies.js"

export const MailboxHttp = HttpApiBuilder.group(
  Api,
  "mailbox",
  Effect.fnUntraced(function* (handlers) {
    const mailbox = yield* Mailbox
    const replies = yield* MailboxReplies
    return handlers
      .handle("list", ({ urlParams }) =>
        Effect.flatMap(CurrentCaller, ({ organizationId }) => mailbox.list(organizationId, pageRequest(urlParams)))
      )
      .handle("get", ({ path: { id } }) =>
        Effect.flatMap(CurrentCaller, ({ organizationId }) => mailbox.get(organizationId, id))
      )
      .handle("reply", ({ path: { id }, payload }) =>
        Effect.flatMap(CurrentCaller, ({ organizationId }) => replies.reply(organizationId, id, payload))
      )
      .pipe(withBodies)
  })
)
