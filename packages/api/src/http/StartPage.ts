import { HttpApiBuilder, HttpServerError, HttpServerRequest, HttpServerResponse } from "@effect/platform"
import { Effect } from "effect"
import { qualityValues } from "./QualityValues.js"

/** The page that `/` leads browsers to, relative to the base URL of the service. */
const startPage = "console/"

const acceptsHtml = (accept = ""): boolean => (qualityValues(accept).get("text/html") ?? 0) > 0

/** Redirects browsers from `/`. Other callers get 404, as for an unknown route. */
export const StartPage = HttpApiBuilder.Router.use((router) =>
  router.get(
    "/",
    Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) =>
      acceptsHtml(request.headers.accept)
        ? Effect.succeed(HttpServerResponse.redirect(startPage))
        : new HttpServerError.RouteNotFound({ request })
    )
  )
)
