import { Predicate } from "effect"
import { storableText } from "../StorableText.js"

const closed = "The connection was closed before the whole answer came"
const late = "No connection was made in time"
const long = "The answer's headers are too long"

/** What the codes of failures mean to the owner of an endpoint, who need not learn the addresses that the texts name. */
const meanings: Readonly<Record<string, string>> = {
  ECONNREFUSED: "The connection was refused",
  ECONNRESET: closed,
  EPIPE: closed,
  UND_ERR_SOCKET: closed,
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: closed,
  ETIMEDOUT: late,
  UND_ERR_CONNECT_TIMEOUT: late,
  EHOSTUNREACH: "The host can't be reached",
  ENETUNREACH: "The host's network can't be reached",
  UND_ERR_HEADERS_OVERFLOW: long,
  HPE_HEADER_OVERFLOW: long
}

/** Those whose own text helps. */
const openings: ReadonlyArray<readonly [RegExp, string]> = [
  [
    /^(ERR_TLS|ERR_SSL|EPROTO|CERT_|UNABLE_TO_|SELF_SIGNED|DEPTH_ZERO|HOSTNAME_MISMATCH|INVALID_CA)/,
    "No trusted connection (TLS)"
  ],
  [/^(HPE_|HTTPParserError)/, "The answer is not HTTP"],
  [/^UND_ERR_INVALID_ARG/, "The request can't be sent"],
  [/^/, "The exchange failed"]
]

/** A certificate may say anything at any length. */
const mostLetters = 300

/** The first of the failures where several addresses were tried. */
const innermost = (error: Error): Error =>
  error instanceof AggregateError && error.errors[0] instanceof Error ? error.errors[0] : error

/** Why there is no answer, in a sentence. */
export const failureText = (failure: Error): string => {
  const error = innermost(failure)
  const code = Predicate.hasProperty(error, "code") && Predicate.isString(error.code) ? error.code : error.name
  const meaning = meanings[code]
  if (meaning !== undefined) return meaning
  const opening = openings.find(([codes]) => codes.test(code))?.[1]
  return storableText(`${opening}: ${[...(error.message || code)].slice(0, mostLetters).join("")}`)
}
