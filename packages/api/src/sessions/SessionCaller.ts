import type { HttpServerRequest } from "@effect/platform"
import { ForbiddenError, UnauthorizedError } from "@switchboard/domain/Errors"
import type { Sessions } from "@switchboard/services/sessions/Sessions"
import { Effect } from "effect"
import { sessionToken } from "./SessionCookie.js"
import { csrfHeader } from "./SessionsApi.js"

/** What changes nothing can't be misused: a page of another site never sees its answer. */
const harmless = new Set(["GET", "HEAD", "OPTIONS"])

const forged = new ForbiddenError({ message: "The header X-CSRF-Token is missing or is not the session's csrfToken" })

/**
 * Who speaks by the cookie of a session. The cookie alone is not enough to change anything: a browser sends it without
 * being asked, but only the page that logged in knows the token that goes with it.
 */
export const sessionCaller = Effect.fnUntraced(function* (
  sessions: Sessions,
  request: HttpServerRequest.HttpServerRequest
) {
  const token = yield* Effect.mapError(
    sessionToken(request),
    () => new UnauthorizedError({ message: "The session is missing or over" })
  )
  const identity = yield* sessions.authenticate(token)
  if (!harmless.has(request.method) && !sessions.isCsrfToken(token, request.headers[csrfHeader] ?? "")) {
    return yield* forged
  }
  return { identity, token } as const
})
