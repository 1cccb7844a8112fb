import { Predicate } from "effect"

/**
 * The `Location` header of a created resource (RFC 9110 section 10.2.2), relative to the URL of the request. `path` is
 * the annotation `Location` of the operation, `body` its response.
 */
export const locationHeader = (path: string, body: unknown) => ({
  location: path.replace(/:(\w+)/g, (_, name: string) =>
    Predicate.hasProperty(body, name) ? encodeURIComponent(String(body[name])) : ""
  )
})
