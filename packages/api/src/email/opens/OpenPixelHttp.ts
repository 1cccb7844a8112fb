import { HttpApiBuilder, HttpServerResponse } from "@effect/platform"
import { Opens } from "@switchboard/services/email/opens/Opens"
import { Effect } from "effect"
import { PublicRoutes } from "../../openapi/PublicRoutes.js"

/** A picture of one transparent dot. */
export const pixel = Buffer.from("R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAICRAEAOw==", "base64")

// Pages of mail in a browser are of other origins. With a policy of its own, the answer's headers are kept as they are.
const headers = {
  "cache-control": "no-store",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
  "cross-origin-resource-policy": "cross-origin"
}

/** The image of tracked mail. The response is the same for every token. */
export const OpenPixelHttp = HttpApiBuilder.group(
  PublicRoutes,
  "opens",
  Effect.fnUntraced(function* (handlers) {
    const opens = yield* Opens
    const image = HttpServerResponse.uint8Array(pixel, { contentType: "image/gif", headers })
    return handlers.handle("record", ({ request, urlParams: { token } }) =>
      Effect.as(opens.record(token, request), image)
    )
  })
)
