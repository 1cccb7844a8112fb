/** Scheme and authority of a request target in absolute form (RFC 9112 section 3.2.2). */
const origin = /^[a-z][a-z0-9+.-]*:\/\/[^/?]*/i

/** The path of a request target in origin form or absolute form. The authority is ignored. */
export const pathOf = (target: string): string => {
  const local = target.startsWith("/") ? target : target.replace(origin, "")
  const at = local.indexOf("?")
  return (at === -1 ? local : local.slice(0, at)) || "/"
}

/** The query parameters of a request target. */
export const queryOf = (target: string): URLSearchParams => {
  const at = target.indexOf("?")
  return new URLSearchParams(at === -1 ? "" : target.slice(at + 1))
}

/** The path of the console: the only one that ends with a slash. */
export const consolePath = "/console/"

/**
 * Whether the router can match a path. It would treat a semicolon as the start of the query, and match an empty segment
 * with a parameter.
 */
export const isWellFormedPath = (path: string): boolean => path === consolePath || !/[;#]|\/\/|.\/$/.test(path)
