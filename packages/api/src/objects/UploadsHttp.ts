import { HttpApiBuilder, type HttpServerRequest } from "@effect/platform"
import * as NodeHttpServerRequest from "@effect/platform-node/NodeHttpServerRequest"
import * as NodeStream from "@effect/platform-node/NodeStream"
import { BadRequestError } from "@switchboard/domain/Errors"
import { Uploads } from "@switchboard/services/voice/knowledgeBases/Uploads"
import { Effect, Stream } from "effect"
import { removed } from "../CommonShapes.js"
import { writeContinue } from "../http/body/RequestBody.js"
import { PublicRoutes } from "../openapi/PublicRoutes.js"

/** The upload of a request. The rest of a rejected upload is discarded, so that the client can read the response. */
const uploadOf = (request: HttpServerRequest.HttpServerRequest) => {
  const source = NodeHttpServerRequest.toIncomingMessage(request)
  const { "content-length": length, "content-type": contentType = "" } = request.headers
  return {
    contentType,
    contentLength: length === undefined ? null : Number(length),
    bytes: Stream.unwrap(
      Effect.as(
        Effect.sync(() => writeContinue(request)),
        NodeStream.fromReadable<BadRequestError, Uint8Array>(
          () => source,
          () => new BadRequestError({ message: "The body ended early" }),
          { closeOnDone: false }
        )
      )
    ),
    discardRest: Effect.sync(() => source.resume())
  }
}

/** Uploads of documents by signed links. */
export const UploadsHttp = HttpApiBuilder.group(
  PublicRoutes,
  "uploads",
  Effect.fnUntraced(function* (handlers) {
    const uploads = yield* Uploads
    return handlers.handleRaw("put", ({ path: { token }, request }) => {
      const { discardRest, ...upload } = uploadOf(request)
      return Effect.as(Effect.ensuring(uploads.receive(token, upload), discardRest), removed)
    })
  })
)
