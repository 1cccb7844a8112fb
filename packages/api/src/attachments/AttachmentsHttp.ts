import { HttpApiBuilder } from "@effect/platform"
import { AttachmentId } from "@switchboard/domain/attachments/UploadedAttachment"
import { Attachments } from "@switchboard/services/attachments/Attachments"
import { Effect } from "effect"
import { Api } from "../Api.js"
import { CurrentCaller } from "../Authorization.js"
import { withBodies } from "../http/WithBodies.js"
import { handleOnce } from "../idempotency/HandleOnce.js"

export const AttachmentsHttp = HttpApiBuilder.group(
  Api,
  "attachments",
  Effect.fnUntraced(function* (handlers) {
    const attachments = yield* Attachments
    const once = yield* handleOnce
    return yield* handlers
      .handle(
        "upload",
        once(
          ({ payload }, { organizationId }) => attachments.upload(organizationId, payload),
          (id, { organizationId }) => attachments.get(organizationId, AttachmentId.make(id))
        )
      )
      .handle("get", ({ path: { id } }) =>
        Effect.flatMap(CurrentCaller, ({ organizationId }) => attachments.get(organizationId, id))
      )
      .pipe(withBodies)
  })
)
