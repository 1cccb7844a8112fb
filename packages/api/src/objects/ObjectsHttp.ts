import { HttpApiBuilder, HttpServerRequest, HttpServerResponse } from "@effect/platform"
import { ObjectLinks, objectsPath } from "@switchboard/services/objects/ObjectLinks"
import { Effect } from "effect"
import { pathOf } from "../RequestTarget.js"
import { attachmentNamed } from "./ContentDisposition.js"

const token = Effect.map(HttpServerRequest.HttpServerRequest, ({ url }) => pathOf(url).slice(objectsPath.length))

/** Where download links lead. Whatever an object is, nobody's browser is to show or run it. */
export const ObjectsHttp = HttpApiBuilder.Router.use((router) =>
  Effect.gen(function* () {
    const links = yield* ObjectLinks
    yield* router.get(
      `${objectsPath}*`,
      Effect.map(Effect.flatMap(token, links.open), ({ bytes, contentLength, filename }) =>
        HttpServerResponse.stream(bytes, {
          contentType: "application/octet-stream",
          contentLength,
          headers: { "content-disposition": attachmentNamed(filename) }
        })
      )
    )
  })
)
