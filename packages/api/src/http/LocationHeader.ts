import { Predicate } from "effect"

/**
 * The `Location` header of a created resource (RFC 9110 section 10.2.2): its path at the public URL, which may be below a
 * path of a proxy. `path` is the annotation `Location` of the operation, `body` its response.
 */
export const locationHeader = (publicUrl: string, path: string) => {
  // Texts and names of parameters in turns.
  const parts = `${new URL(publicUrl).pathname.replace(/\/$/, "")}${path}`.split(/:(\w+)/)
  return (body: unknown) => ({
    location: parts
      .map((part, at) => {
        if (at % 2 === 0) return part
        return Predicate.hasProperty(body, part) ? encodeURIComponent(String(body[part])) : ""
      })
      .join("")
  })
}
