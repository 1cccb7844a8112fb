import { HttpApiBuilder } from "@effect/platform"
import { EmailRecords } from "@switchboard/services/email/records/EmailRecords"
import { Effect } from "effect"
import { CurrentCaller } from "../Authorization.js"
import { withBodies } from "../http/WithBodies.js"
import { ResendApi } from "./ResendApi.js"
import { resendMails } from "./ResendMails.js"
import { toListedReceived, toResendReceived } from "./ResendReceivingApi.js"
import { listOf } from "./ResendShapes.js"

/** E-mails of a page whose files are read at a time. */
const readAtATime = 5

export const ResendReceivingHttp = HttpApiBuilder.group(
  ResendApi,
  "receiving",
  Effect.fnUntraced(function* (handlers) {
    const mails = yield* resendMails("inbound")
    const records = yield* EmailRecords
    return yield* handlers
      .handle("list", ({ urlParams }) =>
        Effect.gen(function* () {
          const { organizationId } = yield* CurrentCaller
          const page = yield* mails.list(organizationId, urlParams)
          const items = yield* Effect.forEach(
            page.items,
            (mail) =>
              mail.content.attachments.length === 0
                ? Effect.succeed(toListedReceived(mail, []))
                : Effect.map(records.attachments(organizationId, mail.id), (files) => toListedReceived(mail, files)),
            { concurrency: readAtATime }
          )
          return listOf({ ...page, items }, (item) => item)
        })
      )
      .handle("get", ({ path: { id } }) =>
        Effect.gen(function* () {
          const { organizationId } = yield* CurrentCaller
          const message = yield* mails.get(organizationId, id)
          return toResendReceived(message, yield* records.get(organizationId, id))
        })
      )
      .handle("attachments", mails.attachments)
      .handle("attachment", mails.attachment)
      .pipe(withBodies)
  })
)
