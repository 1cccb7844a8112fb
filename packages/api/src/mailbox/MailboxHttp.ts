import { HttpApiBuilder } from "@effect/platform"
import { MailboxMail } from "@switchboard/domain/mailbox/MailboxMail"
import { pageRequest } from "@switchboard/domain/Page"
import { Mailbox } from "@switchboard/services/mailbox/Mailbox"
import { Effect } from "effect"
import { Api } from "../Api.js"
import { CurrentCaller } from "../Authorization.js"
import { respond } from "../Respond.js"
import { MailboxPage } from "./MailboxApi.js"

const answerPage = respond(MailboxPage)
const answerMail = respond(MailboxMail)

export const MailboxHttp = HttpApiBuilder.group(
  Api,
  "mailbox",
  Effect.fnUntraced(function* (handlers) {
    const mailbox = yield* Mailbox
    return handlers
      .handleRaw("list", ({ urlParams }) =>
        Effect.flatMap(CurrentCaller, ({ organizationId }) =>
          Effect.map(mailbox.list(organizationId, pageRequest(urlParams)), (found) => answerPage(found))
        )
      )
      .handleRaw("get", ({ path: { id } }) =>
        Effect.flatMap(CurrentCaller, ({ organizationId }) =>
          Effect.map(mailbox.get(organizationId, id), (found) => answerMail(found))
        )
      )
  })
)
