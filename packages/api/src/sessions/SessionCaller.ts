import { type HttpServerRequest, HttpServerResponse } from "@effect/platform"
import { ForbiddenError, UnauthorizedError } from "@switchboard/domain/Errors"
import { type Sessions, sessionLifetime } from "@switchboard/services/sessions/Sessions"
import { Effect, Option, Redacted } from "effect"
import { csrfHeader, sessionCookie } from "./SessionsApi.js"

/** The session token in the cookie of a request. */
export const sessionToken = ({ cookies }: HttpServerRequest.HttpServerRequest) =>
  Option.map(Option.fromNullable(cookies[sessionCookie]), Redacted.make)

/** `httpOnly`: scripts cannot read the cookie. `sameSite`: browsers do not send it with requests of other sites. */
const options = (secure: boolean) => ({ httpOnly: true, sameSite: "strict", path: "/", secure }) as const

/** Sets the session cookie. */
export const setSession = (token: Redacted.Redacted<string>, secure: boolean) =>
  HttpServerResponse.unsafeSetCookie(sessionCookie, Redacted.value(token), {
    ...options(secure),
    maxAge: sessionLifetime
  })

/** Clears the session cookie. */
export const clearSession = (secure: boolean) =>
  HttpServerResponse.unsafeSetCookie(sessionCookie, "", { ...options(secure), maxAge: 0 })

/** Methods that change nothing (RFC 9110 section 9.2.1). They need no CSRF token. */
const safeMethods = new Set(["GET", "HEAD", "OPTIONS"])

const csrfError = new ForbiddenError({
  message: "The header X-CSRF-Token is missing or is not the session's csrfToken"
})

/**
 * Authenticates a request by its session cookie. Unsafe methods also need the CSRF token: a browser sends the cookie with
 * every request, but only the page that logged in has the token.
 */
export const sessionCaller = Effect.fnUntraced(function* (
  sessions: Sessions,
  request: HttpServerRequest.HttpServerRequest
) {
  const token = yield* Effect.mapError(
    sessionToken(request),
    () => new UnauthorizedError({ message: "The session is missing or has ended" })
  )
  const identity = yield* sessions.authenticate(token)
  if (!safeMethods.has(request.method) && !sessions.isCsrfToken(token, request.headers[csrfHeader] ?? "")) {
    return yield* csrfError
  }
  return { identity, token } as const
})
