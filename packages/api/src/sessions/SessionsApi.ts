import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "@effect/platform"
import {
  ForbiddenError,
  PayloadTooLargeError,
  RateLimitedError,
  UnauthorizedError,
  ValidationError
} from "@switchboard/domain/Errors"
import { CreateSession, Session } from "@switchboard/domain/sessions/Session"
import { BodyLimit, Credentials, Extension, keyBody } from "../Annotations.js"
import { Removed } from "../Wire.js"

/** The cookie that holds a session's token. */
export const sessionCookie = "switchboard_session"

/** The header that shows that a request comes from the page that logged in. */
export const csrfHeader = "x-csrf-token"

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
      .addError(UnauthorizedError)
      .addError(ForbiddenError)
      .addError(RateLimitedError)
      .annotate(Credentials, ["session"])
      .annotate(Extension, true)
      .annotate(OpenApi.Summary, "Log a browser out")
      .annotate(OpenApi.Description, "An extension. Ends the session of the cookie, and clears the cookie.")
  )
  .annotate(OpenApi.Title, "Sessions") {}
