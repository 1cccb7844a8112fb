import { Predicate } from "effect"

/**
 * The `Location` header of a created resource (RFC 9110 section 10.2.2), relative to the URL of the request. `path` is
 * the annotation `Location` of the operation, `body` its response.
 */
export const locationHeader = (path: string) => {
  // Texts and names of parameters in turns.
  const parts = path.split(/:(\w+)/)
  return (body: unknown) => ({
    location: parts
      .map((part, at) => {
        if (at % 2 === 0) return part
        return Predicate.hasProperty(body, part) ? encodeURIComponent(String(body[part])) : ""
      })
      .join("")
  })
}
