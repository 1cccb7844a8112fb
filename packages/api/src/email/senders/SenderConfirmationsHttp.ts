import { HttpApiBuilder, type HttpServerResponse } from "@effect/platform"
import type { ServiceUnavailableError } from "@switchboard/domain/Errors"
import {
  type ConfirmationOver,
  type ConfirmationUnknown,
  SenderConfirmations
} from "@switchboard/services/email/senders/SenderConfirmations"
import { Effect } from "effect"
import { Api } from "../../Api.js"
import { withBodies } from "../../http/WithBodies.js"
import { confirmedPage, confirmPage, endedLinkPage, unknownPage } from "./ConfirmationPage.js"

const withPages = (
  self: Effect.Effect<
    HttpServerResponse.HttpServerResponse,
    ConfirmationUnknown | ConfirmationOver | ServiceUnavailableError
  >
) =>
  Effect.catchTags(self, {
    ConfirmationUnknown: () => Effect.succeed(unknownPage),
    ConfirmationOver: ({ why }) => Effect.succeed(endedLinkPage(why))
  })

export const SenderConfirmationsHttp = HttpApiBuilder.group(
  Api,
  "senderConfirmations",
  Effect.fnUntraced(function* (handlers) {
    const confirmations = yield* SenderConfirmations
    return yield* handlers
      .handle("look", ({ urlParams: { token } }) => withPages(Effect.map(confirmations.look(token), confirmPage)))
      .handle("confirm", ({ urlParams: { token } }) =>
        withPages(Effect.map(confirmations.confirm(token), confirmedPage))
      )
      .pipe(withBodies)
  })
)
