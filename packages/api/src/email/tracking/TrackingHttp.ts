import { HttpApiBuilder, HttpServerResponse } from "@effect/platform"
import { ResourceNotFoundError } from "@switchboard/domain/Errors"
import { Engagements } from "@switchboard/services/email/tracking/Engagements"
import { clickPath } from "@switchboard/services/email/tracking/TrackingLinks"
import { Effect, Layer } from "effect"
import { pathOf } from "../../http/RequestParameters.js"
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
const OpensHttp = HttpApiBuilder.group(
  PublicRoutes,
  "opens",
  Effect.fnUntraced(function* (handlers) {
    const engagements = yield* Engagements
    const image = HttpServerResponse.uint8Array(pixel, { contentType: "image/gif", headers })
    return handlers.handle("record", ({ request, urlParams: { token } }) =>
      Effect.as(engagements.open(token, request), image)
    )
  })
)

/** The links of tracked mail. */
const ClicksHttp = HttpApiBuilder.group(
  PublicRoutes,
  "clicks",
  Effect.fnUntraced(function* (handlers) {
    const engagements = yield* Engagements
    return handlers.handle("follow", ({ request }) => {
      const path = pathOf(request.url)
      const token = path.slice(clickPath.length)
      // The wildcard of the route also takes the slash, which no token has.
      return token.includes("/")
        ? new ResourceNotFoundError({ resource: "route", id: path })
        : Effect.map(engagements.click(token, request), (location) =>
            HttpServerResponse.empty({ status: 302, headers: { location, "cache-control": "no-store" } })
          )
    })
  })
)

/** The image and the links of tracked mail. */
export const TrackingHttp = Layer.merge(OpensHttp, ClicksHttp)
