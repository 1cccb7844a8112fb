import { HttpApiBuilder } from "@effect/platform"
import { pageRequest } from "@switchboard/domain/Page"
import { Mailbox } from "@switchboard/services/mailbox/Mailbox"
import { MailboxReplies } from "@switchboard/services/mailbox/MailboxReplies"
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
    return handlers
      .handle("list", ({ urlParams }) =>
        Effect.flatMap(CurrentCaller, ({ organizationId }) => mailbox.list(organizationId, pageRequest(urlParams)))
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
      .pipe(withBodies)
  })
)
