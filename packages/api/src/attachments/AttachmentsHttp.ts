import { HttpApiBuilder } from "@effect/platform"
import { UploadAttachment, UploadedAttachment } from "@switchboard/domain/attachments/UploadedAttachment"
import { Attachments } from "@switchboard/services/attachments/Attachments"
import { Effect } from "effect"
import { Api } from "../Api.js"
import { CurrentCaller } from "../Authorization.js"
import { readBody } from "../Door.js"
import { respond } from "../Respond.js"

const answerUploaded = respond(UploadedAttachment, 201)

const readUpload = readBody(UploadAttachment)

export const AttachmentsHttp = HttpApiBuilder.group(
  Api,
  "attachments",
  Effect.fnUntraced(function* (handlers) {
    const attachments = yield* Attachments
    return handlers.handleRaw("upload", () =>
      Effect.gen(function* () {
        const { organizationId } = yield* CurrentCaller
        return answerUploaded(yield* attachments.upload(organizationId, yield* readUpload))
      })
    )
  })
)
