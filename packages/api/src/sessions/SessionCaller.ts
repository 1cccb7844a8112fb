import type { HttpServerRequest } from "@effect/platform"
import { ForbiddenError, UnauthorizedError } from "@switchboard/domain/Errors"
import type { Sessions } from "@switchboard/services/sessions/Sessions"
import { Effect } from "effect"
import { sessionToken } from "./SessionCookie.js"
import { csrfHeader } from "./SessionsApi.js"

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
