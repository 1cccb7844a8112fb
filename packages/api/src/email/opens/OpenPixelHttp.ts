import { HttpApiBuilder, HttpServerRequest, HttpServerResponse } from "@effect/platform"
import { openPath } from "@switchboard/services/email/opens/OpenLink"
import { Opens } from "@switchboard/services/email/opens/Opens"
import { Effect } from "effect"

/** A picture of one transparent dot. */
export const pixel = Buffer.from("R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAICRAEAOw==", "base64")

// Pages of mail in a browser are of other origins. With a policy of its own, the answer's headers are kept as they are.
const headers = {
  "cache-control": "no-store",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
  "cross-origin-resource-policy": "cross-origin"
}

/** Where the images of tracked mail are. They are shown whatever is asked: nobody learns which tokens there are. */
export const OpenPixelHttp = HttpApiBuilder.Router.use((router) =>
  Effect.gen(function* () {
    const opens = yield* Opens
    yield* router.get(
      openPath,
      Effect.gen(function* () {
        const request = yield* HttpServerRequest.HttpServerRequest
        const { token = "" } = yield* HttpServerRequest.ParsedSearchParams
        yield* opens.record(String(token), request)
        return HttpServerResponse.uint8Array(pixel, { contentType: "image/gif", headers })
      })
    )
  })
)
