import { HttpApiBuilder, HttpServerResponse } from "@effect/platform"
import { Opens } from "@switchboard/services/email/opens/Opens"
import { Effect } from "effect"
import { PublicRoutes } from "../../openapi/PublicRoutes.js"

/** A transparent GIF of one pixel. */
export const pixel = Buffer.from("R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAICRAEAOw==", "base64")

// Webmail loads the image from other origins. A response with its own policy keeps its headers.
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
