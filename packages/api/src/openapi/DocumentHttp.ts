import { HttpApiBuilder, HttpServerResponse } from "@effect/platform"
import { PublicUrl } from "@switchboard/services/PublicUrl"
import { Effect } from "effect"
import { docsPage, docsPolicy } from "./DocsPage.js"
import { makeDocument } from "./Document.js"
import { PublicRoutes } from "./PublicRoutes.js"

/** Serves the OpenAPI document as JSON and as an HTML page. */
export const DocumentHttp = HttpApiBuilder.group(
  PublicRoutes,
  "description",
  Effect.fnUntraced(function* (handlers) {
    const publicUrl = yield* PublicUrl
    // Derived at the first request, so that it does not delay the start. The bundle of the server has no openapi.json.
    const json = yield* Effect.cached(Effect.sync(() => JSON.stringify(makeDocument(publicUrl))))
    return handlers
      .handle("document", () =>
        Effect.map(json, (text) => HttpServerResponse.text(text, { contentType: "application/json" }))
      )
      .handle("page", () =>
        Effect.map(json, (text) =>
          HttpServerResponse.text(docsPage(text), {
            contentType: "text/html; charset=utf-8",
            headers: { "content-security-policy": docsPolicy }
          })
        )
      )
  })
)
