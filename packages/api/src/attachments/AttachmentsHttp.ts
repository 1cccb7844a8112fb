import { HttpApiBuilder } from "@effect/platform"
import { Attachments } from "@switchboard/services/attachments/Attachments"
import { Effect } from "effect"
import { Api } from "../Api.js"
import { CurrentCaller } from "../Authorization.js"
import { withBodies } from "../http/WithBodies.js"

export const AttachmentsHttp = HttpApiBuilder.group(
  Api,
  "attachments",
  Effect.fnUntraced(function* (handlers) {
    const attachments = yield* Attachments
    return handlers
      .handle("upload", ({ payload }) =>
        Effect.flatMap(CurrentCaller, ({ organizationId }) => attachments.upload(organizationId, payload))
      )
      .pipe(withBodies)
  })
)
