import { HttpApiBuilder } from "@effect/platform"
import { MailboxMail } from "@switchboard/domain/mailbox/MailboxMail"
import { MailboxAnswer, MailboxReply } from "@switchboard/domain/mailbox/MailboxReply"
import { pageRequest } from "@switchboard/domain/Page"
import { Mailbox } from "@switchboard/services/mailbox/Mailbox"
import { MailboxReplies } from "@switchboard/services/mailbox/MailboxReplies"
import { Effect } from "effect"
import { Api } from "../Api.js"
import { CurrentCaller } from "../Authorization.js"
import { readBody } from "../Door.js"
import { respond } from "../Respond.js"
import { MailboxPage } from "./MailboxApi.js"

const answerPage = respond(MailboxPage)
const answerMail = respond(MailboxMail)
const answerAnswer = respond(MailboxAnswer, 201)

const readReply = readBody(MailboxReply)

export const MailboxHttp = HttpApiBuilder.group(
  Api,
  "mailbox",
  Effect.fnUntraced(function* (handlers) {
    const mailbox = yield* Mailbox
    const replies = yield* MailboxReplies
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
      .handleRaw("reply", ({ path: { id } }) =>
        Effect.gen(function* () {
          const { organizationId } = yield* CurrentCaller
          return answerAnswer(yield* replies.reply(organizationId, id, yield* readReply))
        })
      )
  })
)
