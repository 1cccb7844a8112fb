import { HttpApiBuilder, HttpServerResponse } from "@effect/platform"
import { Effect } from "effect"
import { docsPage, docsPolicy } from "./DocsPage.js"
import { makeDocument } from "./Document.js"

/** Serves the description, and a page to browse it that loads nothing from elsewhere. */
export const DocumentHttp = HttpApiBuilder.Router.use((router) =>
  Effect.gen(function* () {
    // Made by the first request for it: the start of a process does not wait for it.
    const json = yield* Effect.cached(Effect.sync(() => JSON.stringify(makeDocument())))
    yield* router.get(
      "/v1/openapi.json",
      Effect.map(json, (text) => HttpServerResponse.text(text, { contentType: "application/json" }))
    )
    yield* router.get(
      "/v1/docs",
      Effect.map(json, (text) =>
        HttpServerResponse.text(docsPage(text), {
          contentType: "text/html; charset=utf-8",
          headers: { "content-security-policy": docsPolicy }
        })
      )
    )
  })
)
