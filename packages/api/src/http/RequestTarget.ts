/** The part of a request's target that names a server, in its absolute form (RFC 9112 section 3.2.2). */
const origin = /^[a-z][a-z0-9+.-]*:\/\/[^/?]*/i

/** The path that a request asks for, whichever form its target has; who it says the server is does not matter. */
export const pathOf = (target: string): string => target.replace(origin, "").split("?")[0] || "/"

/** The parameters of a request's query. */
export const queryOf = (target: string): URLSearchParams => {
  const at = target.indexOf("?")
  return new URLSearchParams(at === -1 ? "" : target.slice(at + 1))
}

/**
 * Whether a path is written as paths are, so that the router may look for it: it takes a semicolon for a question mark,
 * and nothing at all for a parameter.
 */
export const isWellWritten = (path: string): boolean => !/[;#]|\/\/|.\/$/.test(path)
