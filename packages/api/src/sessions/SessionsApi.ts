import { HttpApiEndpoint, HttpApiGroup, HttpApiMiddleware, HttpApiSecurity, OpenApi } from "@effect/platform"
import {
  ForbiddenError,
  PayloadTooLargeError,
  RateLimitedError,
  ServiceUnavailableError,
  UnauthorizedError,
  ValidationError
} from "@switchboard/domain/Errors"
import { CreateSession, Session } from "@switchboard/domain/sessions/Session"
import { Context, type Redacted, Schema } from "effect"
import { BodyLimit, Credentials, Examples, Extension, keyBody } from "../Annotations.js"
import { Removed } from "../CommonShapes.js"
import { sessionExamples } from "./SessionExamples.js"

/** The cookie that holds a session's token. */
export const sessionCookie = "switchboard_session"

/** The header that shows that a request comes from the page that logged in. */
export const csrfHeader = "x-csrf-token"

/** The token of the session that a request ends. */
export class CurrentSession extends Context.Tag("api/CurrentSession")<CurrentSession, Redacted.Redacted<string>>() {}

/** Checks the cookie of a session and the header that a change needs. No key is accepted in place of them. */
export class SessionAuthorization extends HttpApiMiddleware.Tag<SessionAuthorization>()("api/SessionAuthorization", {
  failure: Schema.Union(UnauthorizedError, ForbiddenError, RateLimitedError, ServiceUnavailableError),
  provides: CurrentSession,
  security: {
    session: HttpApiSecurity.apiKey({ key: sessionCookie, in: "cookie" }).pipe(
      HttpApiSecurity.annotate(
        OpenApi.Description,
        "A session of a browser, in place of a key. Requests that change something also need the header `X-CSRF-Token` with the `csrfToken` of the log-in's answer: without it, or with another one, they are 403. Where a request has the key's header too, that decides."
      )
    )
  }
}) {}

/** Log-ins of browsers. */
export class SessionsApi extends HttpApiGroup.make("sessions")
  .add(
    HttpApiEndpoint.post("create", "/session")
      .setPayload(CreateSession)
      .addSuccess(Session)
      .addError(UnauthorizedError)
      .addError(ForbiddenError)
      .addError(PayloadTooLargeError)
      .addError(RateLimitedError)
      .addError(ValidationError)
      .annotate(Credentials, [])
      .annotate(BodyLimit, keyBody)
      .annotate(Extension, true)
      .annotate(OpenApi.Summary, "Log a browser in")
      .annotate(
        OpenApi.Description,
        "An extension. Sets the cookie `switchboard_session` (HttpOnly, SameSite=Strict, 12 hours), which the message operations take in place of a key's header, with the permissions of that key. It ends when it is deleted, and within a second of the end of the key's value that it was started with. It is for pages of the same origin: pages of other origins (`CORS_ORIGINS`) use the header."
      )
  )
  .add(
    HttpApiEndpoint.del("remove", "/session")
      .addSuccess(Removed)
      .middleware(SessionAuthorization)
      .annotate(Credentials, ["session"])
      .annotate(Extension, true)
      .annotate(OpenApi.Summary, "Log a browser out")
      .annotate(OpenApi.Description, "An extension. Ends the session of the cookie, and clears the cookie.")
  )
  .annotate(Examples, sessionExamples)
  .annotate(OpenApi.Title, "Sessions") {}
