import { readFile } from "node:fs/promises"
import { HttpApiBuilder, HttpServerResponse } from "@effect/platform"
import { Effect } from "effect"
import { docsPage, docsPolicy } from "./DocsPage.js"
import { PublicRoutes } from "./PublicRoutes.js"

/** The description, which `npm run openapi` writes. */
const file = new URL("../../openapi.json", import.meta.url)

/** Serves the description, and a page to browse it that loads nothing from elsewhere. */
export const DocumentHttp = HttpApiBuilder.group(
  PublicRoutes,
  "description",
  Effect.fnUntraced(function* (handlers) {
    // Read at the first request. Deriving it here would block the event loop five times as long.
    const json = yield* Effect.cached(
      Effect.map(
        Effect.promise(() => readFile(file, "utf8")),
        (text) => JSON.stringify(JSON.parse(text))
      )
    )
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
