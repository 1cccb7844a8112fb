import { HttpApiBuilder, HttpServerResponse } from "@effect/platform"
import { Effect } from "effect"
import { docsPage, docsPolicy } from "./DocsPage.js"
import { document } from "./Document.js"

/** Serves the description, and a page to browse it that loads nothing from elsewhere. */
export const DocumentHttp = HttpApiBuilder.Router.use((router) =>
  Effect.gen(function* () {
    const json = JSON.stringify(document)
    yield* router.get("/v1/openapi.json", HttpServerResponse.text(json, { contentType: "application/json" }))
    yield* router.get(
      "/v1/docs",
      HttpServerResponse.text(docsPage(json), {
        contentType: "text/html; charset=utf-8",
        headers: { "content-security-policy": docsPolicy }
      })
    )
  })
)
