import { HttpApiBuilder } from "@effect/platform"
import { ValidationError } from "@switchboard/domain/Errors"
import { toEmailSendFields, toSendRequest } from "@switchboard/domain/email/send/EmailSendRequest"
import { Messages } from "@switchboard/services/messages/Messages"
import { Effect } from "effect"
import { Api } from "../../Api.js"
import { CurrentCaller } from "../../Authorization.js"
import { withBodies } from "../../http/WithBodies.js"
import { markReplay, withHeaderKey } from "../../idempotency/IdempotencyHeader.js"

export const EmailSendHttp = HttpApiBuilder.group(
  Api,
  "email",
  Effect.fnUntraced(function* (handlers) {
    const messages = yield* Messages

    return yield* handlers
      .handle("send", ({ headers, payload }) =>
        Effect.gen(function* () {
          const caller = yield* CurrentCaller
          const email = yield* withHeaderKey(payload, headers["idempotency-key"])
          const { message, replayed } = yield* messages
            .send(caller, toSendRequest(email))
            .pipe(
              Effect.catchTag(
                "ValidationError",
                ({ fields = {}, message }) => new ValidationError({ message, fields: toEmailSendFields(fields) })
              )
            )
          yield* markReplay(replayed)
          return { id: message.id, status: message.status }
        })
      )
      .pipe(withBodies)
  })
)
