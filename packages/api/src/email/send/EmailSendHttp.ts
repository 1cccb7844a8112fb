import { HttpApiBuilder } from "@effect/platform"
import { ValidationError } from "@switchboard/domain/Errors"
import { EmailSendRequest, inCallersNames, toSendRequest } from "@switchboard/domain/email/send/EmailSendRequest"
import { Messages } from "@switchboard/services/messages/Messages"
import { Effect } from "effect"
import { Api } from "../../Api.js"
import { CurrentCaller } from "../../Authorization.js"
import { readBody } from "../../Door.js"
import { withHeaderKey } from "../../messages/HeaderKey.js"
import { respond } from "../../Respond.js"
import { EmailSent } from "./EmailSendApi.js"

const answerCreated = respond(EmailSent, 201)

const readEmail = readBody(EmailSendRequest)

export const EmailSendHttp = HttpApiBuilder.group(
  Api,
  "email",
  Effect.fnUntraced(function* (handlers) {
    const messages = yield* Messages

    return handlers.handleRaw("send", ({ headers }) =>
      Effect.gen(function* () {
        const caller = yield* CurrentCaller
        const email = yield* Effect.flatMap(readEmail, (body) => withHeaderKey(body, headers["idempotency-key"]))
        const { message, replayed } = yield* messages
          .send(caller, toSendRequest(email))
          .pipe(
            Effect.catchTag(
              "ValidationError",
              ({ fields = {}, message }) => new ValidationError({ message, fields: inCallersNames(fields) })
            )
          )
        return answerCreated(
          { id: message.id, status: message.status },
          replayed ? { "idempotent-replayed": "true" } : {}
        )
      })
    )
  })
)
