import { HttpApiBuilder } from "@effect/platform"
import { PublicUrl } from "@switchboard/services/PublicUrl"
import { Version } from "@switchboard/services/Version"
import { Effect } from "effect"
import { type Content, staticContent } from "../http/Compression.js"
import { makeDocument } from "./Document.js"
import { PublicRoutes } from "./PublicRoutes.js"

/** Made at the first request, so that it does not delay the start. A client that disconnects does not stop it. */
export const atFirstRequest = <E>(content: Effect.Effect<Content, E>) =>
  Effect.cached(Effect.uninterruptible(Effect.orDie(Effect.flatMap(content, staticContent))))

const loadPage = Effect.promise(() => import("./ApiPage.js").then(({ apiPage }) => apiPage))

/** Serves the OpenAPI document as JSON and as an HTML page. The bundle of the server has no openapi.json. */
export const DocumentHttp = HttpApiBuilder.group(
  PublicRoutes,
  "description",
  Effect.fnUntraced(function* (handlers) {
    const publicUrl = yield* PublicUrl
    const release = yield* Version
    const made = yield* Effect.cached(Effect.sync(() => makeDocument(publicUrl, release)))
    const document = yield* atFirstRequest(
      Effect.map(made, (content) => ({ text: JSON.stringify(content), contentType: "application/json" }))
    )
    const page = yield* atFirstRequest(
      Effect.flatMap(Effect.zip(loadPage, made), ([apiPage, content]) => apiPage(content, new URL(publicUrl).pathname))
    )
    return handlers
      .handle("document", ({ request }) => Effect.map(document, (respond) => respond(request)))
      .handle("page", ({ request }) => Effect.map(page, (respond) => respond(request)))
  })
)
