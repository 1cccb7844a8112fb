import { Option, Schema } from "effect"
import { text } from "./Text.js"

/**
 * Parses an absolute URL (WHATWG URL standard). `URL.canParse` is not used: once it is optimized, Node.js 20 rejects
 * texts with Latin-1 characters such as `ü`.
 */
export const parseUrl: (text: string) => Option.Option<URL> = Option.liftThrowable((text: string) => new URL(text))

const character = "(?:[A-Za-z0-9_.~:@!$&'()*+,;=/?-]|%[0-9A-Fa-f]{2})"
const host = "(?:\\[[0-9A-Fa-f:.]+\\]|[A-Za-z0-9_.-]+)"
const form = new RegExp(`^[Hh][Tt][Tt][Pp][Ss]?://${host}(?::\\d{1,5})?(?:[/?]${character}*)?(?:#${character}*)?$`)

/** The faults of a URL, in the order of its parts. */
const problems: ReadonlyArray<readonly [wrong: RegExp, sentence: string]> = [
  [/^(?!https?:\/\/[^/?#])/i, "must be an http or https URL"],
  [/^[^/]*\/\/[^/?#]*@/, "must be an http or https URL without user name and password"],
  [/^[^/]*\/\/[^/?#]*[^\x00-\x7f]/, "must have the host name in A-labels, like xn--bcher-kva.example"],
  [/^[^/]*\/\/[^/?#]*[\s\x00-\x1f]/, "must have no space in its host name"],
  [/[^\x00-\x7f]/, "must have characters beyond ASCII as %XX"],
  [/\s/, "must have spaces as %20"],
  [/%(?![0-9A-Fa-f]{2})/, "must have two hexadecimal digits after each %"],
  [/[/?#].*["<>\\^`{|}]/, 'must have the characters " < > \\ ^ ` { | } as %XX']
]

/** The first part of a URL that is wrong; none if the URL is valid. */
export const urlProblem = (url: string): Option.Option<string> => {
  const problem = problems.find(([wrong]) => wrong.test(url))
  if (problem !== undefined) return Option.some(problem[1])
  const [, port] = /^[^/]*\/\/[^/?#]*:(\d*)(?:[/?#]|$)/.exec(url) ?? []
  if (port !== undefined && (Number(port) < 1 || Number(port) > 65_535)) {
    return Option.some("must have a port from 1 to 65535")
  }
  return form.test(url) && Option.isSome(parseUrl(url)) ? Option.none() : Option.some("must be an http or https URL")
}

/** An absolute http or https URL (RFC 3986) without credentials. Letters beyond ASCII are written in A-labels or `%XX`. */
export const HttpUrl = text(1, 2_048).pipe(
  Schema.filter((url) => Option.getOrElse(urlProblem(url), () => true), {
    jsonSchema: { pattern: form.source, format: "uri" }
  })
)
