import { HttpApiBuilder, HttpServerResponse } from "@effect/platform"
import { ResourceNotFoundError } from "@switchboard/domain/Errors"
import { ObjectLinks, objectsPath } from "@switchboard/services/objects/ObjectLinks"
import { Effect } from "effect"
import { pathOf } from "../http/RequestParameters.js"
import { PublicRoutes } from "../openapi/PublicRoutes.js"

/** Characters that are not percent-encoded (RFC 8187 section 3.2.1). */
const attributeCharacter = /[A-Za-z0-9!#$&+.^_`|~-]/

const percentEncoded = (text: string): string =>
  [...Buffer.from(text)]
    .map((octet) => {
      const character = String.fromCharCode(octet)
      return attributeCharacter.test(character) ? character : `%${octet.toString(16).toUpperCase().padStart(2, "0")}`
    })
    .join("")

/** The name for clients without RFC 8187: ASCII, without quotes, backslashes, slashes and percent signs. */
const asciiName = (text: string): string => text.replace(/[^\x20-\x7e]|["\\/%]/gu, "_")

/** The header `Content-Disposition` of a download (RFC 6266). The browser saves it and does not display it. */
export const attachmentDisposition = (filename: string): string => {
  const ascii = asciiName(filename)
  return ascii === filename
    ? `attachment; filename="${filename}"`
    : `attachment; filename="${ascii}"; filename*=UTF-8''${percentEncoded(filename)}`
}

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
