import { HttpApiBuilder, HttpServerResponse } from "@effect/platform"
import { ResourceNotFoundError } from "@switchboard/domain/Errors"
import { ObjectLinks, objectsPath } from "@switchboard/services/objects/ObjectLinks"
import { Effect } from "effect"
import { pathOf } from "../http/RequestParameters.js"
import { PublicRoutes } from "../openapi/PublicRoutes.js"
import { attachmentDisposition } from "./ContentDisposition.js"

/** Downloads by signed links. Browsers save a file and do not display or run it. */
export const ObjectsHttp = HttpApiBuilder.group(
  PublicRoutes,
  "objects",
  Effect.fnUntraced(function* (handlers) {
    const links = yield* ObjectLinks
    return handlers.handle("download", ({ request }) => {
      const path = pathOf(request.url)
      const token = path.slice(objectsPath.length)
      if (token === "" || token.includes("/")) return new ResourceNotFoundError({ resource: "route", id: path })
      return Effect.map(links.open(token), ({ bytes, contentLength, filename }) =>
        HttpServerResponse.stream(bytes, {
          contentType: "application/octet-stream",
          contentLength,
          headers: { "content-disposition": attachmentDisposition(filename) }
        })
      )
    })
  })
)
