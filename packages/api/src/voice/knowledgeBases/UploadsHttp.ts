import { HttpApiBuilder, HttpRouter, HttpServerRequest, HttpServerResponse } from "@effect/platform"
import * as NodeHttpServerRequest from "@effect/platform-node/NodeHttpServerRequest"
import * as NodeStream from "@effect/platform-node/NodeStream"
import { BadRequestError } from "@switchboard/domain/Errors"
import { uploadsPath } from "@switchboard/services/voice/knowledgeBases/KnowledgeBases"
import { Uploads } from "@switchboard/services/voice/knowledgeBases/Uploads"
import { Effect, Stream } from "effect"
import { removed } from "../../CommonShapes.js"
import { sendContinue } from "../../http/body/ExpectContinue.js"

/** What was sent. Of what is refused the rest is let pass unread, so that its sender hears the answer. */
const broughtBy = (request: HttpServerRequest.HttpServerRequest) => {
  const source = NodeHttpServerRequest.toIncomingMessage(request)
  const { "content-length": length, "content-type": contentType = "" } = request.headers
  return {
    contentType,
    contentLength: length === undefined ? null : Number(length),
    bytes: Stream.unwrap(
      Effect.as(
        sendContinue(request),
        NodeStream.fromReadable<BadRequestError, Uint8Array>(
          () => source,
          () => new BadRequestError({ message: "The body ended early" }),
          { closeOnDone: false }
        )
      )
    ),
    letPass: Effect.sync(() => source.resume())
  }
}

/** Where documents are uploaded that come through us. The link is proof enough: nobody has a key. */
export const UploadsHttp = HttpApiBuilder.Router.use((router) =>
  Effect.gen(function* () {
    const uploads = yield* Uploads
    yield* router.put(
      `${uploadsPath}:token`,
      Effect.gen(function* () {
        const { token = "" } = yield* HttpRouter.params
        const { letPass, ...brought } = broughtBy(yield* HttpServerRequest.HttpServerRequest)
        yield* Effect.ensuring(uploads.receive(token, brought), letPass)
        return HttpServerResponse.unsafeJson(removed)
      })
    )
  })
)
