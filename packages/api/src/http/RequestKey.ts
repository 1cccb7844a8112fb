import type { HttpServerRequest } from "@effect/platform"
import { UnauthorizedError } from "@switchboard/domain/Errors"
import { Either, Redacted } from "effect"

/** Credentials of a request: a scheme and its parameters (RFC 9110 section 11.4). */
const credentials = /^(?<scheme>[\w!#$%&'*+.^`|~-]+) +(?<parameters>.+)$/

const malformed = new UnauthorizedError({
  message: "The header Authorization must be the word Bearer, a space and the API key"
})

const different = new UnauthorizedError({
  message: "The headers X-API-Key and Authorization must have the same API key"
})

const none = Either.right("")

/**
 * The key in `Authorization` (RFC 6750 section 2.1). The scheme is case-insensitive. Other schemes are ignored: a proxy
 * in front of the service can require them.
 */
const bearerKey = (authorization: string | undefined): Either.Either<string, UnauthorizedError> => {
  if (authorization === undefined) return none
  const { parameters = "", scheme } = credentials.exec(authorization)?.groups ?? {}
  if (scheme !== undefined && scheme.toLowerCase() !== "bearer") return none
  return scheme === undefined || /\s/.test(parameters) ? Either.left(malformed) : Either.right(parameters)
}

/**
 * The API key of a request: in `X-API-Key`, in `Authorization` with the scheme `Bearer`, or the same in both. Empty if
 * the request has none.
 */
export const requestKey = ({
  headers: { authorization, "x-api-key": key = "" }
}: HttpServerRequest.HttpServerRequest): Either.Either<Redacted.Redacted<string>, UnauthorizedError> =>
  Either.flatMap(bearerKey(authorization), (bearer) =>
    key !== "" && bearer !== "" && key !== bearer ? Either.left(different) : Either.right(Redacted.make(key || bearer))
  )
