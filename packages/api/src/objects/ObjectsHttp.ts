import { HttpApiBuilder, HttpServerError, HttpServerRequest, HttpServerResponse } from "@effect/platform"
import { ObjectLinks, objectsPath } from "@switchboard/services/objects/ObjectLinks"
import { Effect } from "effect"
import { pathOf } from "../http/RequestTarget.js"
import { attachmentNamed } from "./ContentDisposition.js"

/** It is longer than the router lets a parameter be. */
const token = Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) => {
  const given = pathOf(request.url).slice(objectsPath.length)
  return given === "" || given.includes("/") ? new HttpServerError.RouteNotFound({ request }) : Effect.succeed(given)
})

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
