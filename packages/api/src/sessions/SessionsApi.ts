import { HttpApiEndpoint, HttpApiGroup, HttpApiMiddleware, HttpApiSecurity, OpenApi } from "@effect/platform"
import {
  ConflictError,
  ForbiddenError,
  PayloadTooLargeError,
  RateLimitedError,
  SecondFactorRequiredError,
  ServiceUnavailableError,
  UnauthorizedError,
  ValidationError
} from "@switchboard/domain/Errors"
import { CreateSession, Session, SessionDetails, SessionMethods } from "@switchboard/domain/sessions/Session"
import {
  BeginTotp,
  ChangePassword,
  ConfirmTotp,
  RecoveryCodes,
  RemoveTotp,
  TotpSecret
} from "@switchboard/domain/users/User"
import { Context, type Redacted, Schema } from "effect"
import { Audit, auditReasons, BodyLimit, Credentials, Extension, keyBody } from "../Annotations.js"
import { Done, Removed } from "../CommonShapes.js"

/** The cookie with the token of a session. */
export const sessionCookie = "switchboard_session"

/** The header with the CSRF token: it proves that the request comes from the page that logged in. */
export const csrfHeader = "x-csrf-token"

/** The token of the session of a request. */
export class CurrentSession extends Context.Tag("api/CurrentSession")<CurrentSession, Redacted.Redacted<string>>() {}

/** Checks the session cookie and the CSRF header. An API key is not accepted. */
export class SessionAuthorization extends HttpApiMiddleware.Tag<SessionAuthorization>()("api/SessionAuthorization", {
  failure: Schema.Union(UnauthorizedError, ForbiddenError, RateLimitedError, ServiceUnavailableError),
  provides: CurrentSession,
  security: {
    session: HttpApiSecurity.apiKey({ key: sessionCookie, in: "cookie" }).pipe(
      HttpApiSecurity.annotate(
        OpenApi.Description,
        "Session of a browser. Requests that change something also need the header `X-CSRF-Token` with the `csrfToken` of the session; otherwise: 403. If the request also has an API key, the key is used."
      )
    )
  }
}) {}

/** Sessions of browsers. */
export class SessionsApi extends HttpApiGroup.make("sessions")
  .add(
    HttpApiEndpoint.post("create", "/session")
      .setPayload(CreateSession)
      .addSuccess(Session)
      .addError(UnauthorizedError)
      .addError(SecondFactorRequiredError)
      .addError(ForbiddenError)
      .addError(PayloadTooLargeError)
      .addError(RateLimitedError)
      .addError(ValidationError)
      .annotate(Credentials, [])
      .annotate(OpenApi.Summary, "Log in")
      .annotate(
        OpenApi.Description,
        [
          "Sets the cookie `switchboard_session` (HttpOnly, SameSite=Strict, 12 hours). Every operation that takes an API key accepts the cookie instead, with the permissions of that key; so does the event stream.",
          "",
          "- `email` and `password` are those of a user. 401: one of them is wrong. 429: ten attempts with an address failed within 15 minutes; each 90 seconds allow one more.",
          "- A user with a second factor also needs `code`: 6 digits of the authenticator app or a recovery code, which each work once. Without it: 401 with `SecondFactorRequiredError`, which does not count as a failed attempt.",
          "- `loginToken` is the token of a log-in link: `/console/#login=TOKEN`. It is valid once, within 15 minutes after the link was printed; otherwise: 401. The session has the permissions of the API key that the link was made for.",
          "- The session ends at log-out, or within a second after its API key ends or its user is deleted.",
          "- Sessions are for pages of the same origin. Pages of other origins (`CORS_ORIGINS`) send the API key."
        ].join("\n")
      )
  )
  .add(
    HttpApiEndpoint.get("listMethods", "/session/methods")
      .addSuccess(SessionMethods)
      .annotate(Credentials, [])
      .annotate(OpenApi.Summary, "List the ways to log in")
      .annotate(
        OpenApi.Description,
        [
          "Returns the ways to log in that depend on the installation. It needs no key.",
          "",
          "- `oidc`: people can log in at a provider of OpenID Connect. A button with the text `name` leads to `GET /v1/session/oidc`."
        ].join("\n")
      )
  )
  .add(
    HttpApiEndpoint.get("get", "/session")
      .addSuccess(SessionDetails)
      .middleware(SessionAuthorization)
      .annotate(OpenApi.Summary, "Retrieve the session")
      .annotate(
        OpenApi.Description,
        "Returns the organization and the permissions of the session, its user unless it is that of an API key, its `csrfToken`, and the address at which programs submit mail over SMTP."
      )
  )
  .add(
    HttpApiEndpoint.del("remove", "/session")
      .addSuccess(Removed)
      .middleware(SessionAuthorization)
      .annotate(OpenApi.Summary, "Log out")
      .annotate(OpenApi.Description, "Ends the session and clears the cookie.")
  )
  .add(
    HttpApiEndpoint.post("changePassword", "/session/password")
      .setPayload(ChangePassword)
      .addSuccess(Done)
      .addError(PayloadTooLargeError)
      .addError(ValidationError)
      .middleware(SessionAuthorization)
      .annotate(OpenApi.Summary, "Change the password")
      .annotate(
        OpenApi.Description,
        [
          "Changes the password of the session's user. The user's other sessions end within a second.",
          "",
          "- 422: `currentPassword` is wrong, or `newPassword` has not 10 to 200 characters or is the e-mail address.",
          "- 403: the session is that of an API key.",
          "- 429: as for a log-in."
        ].join("\n")
      )
  )
  .add(
    HttpApiEndpoint.post("beginTotp", "/session/totp")
      .annotate(Audit, { unaudited: auditReasons.unconfirmed })
      .setPayload(BeginTotp)
      .addSuccess(TotpSecret)
      .addError(ConflictError)
      .addError(PayloadTooLargeError)
      .addError(ValidationError)
      .middleware(SessionAuthorization)
      .annotate(OpenApi.Summary, "Begin a second factor")
      .annotate(
        OpenApi.Description,
        [
          "Makes a secret for an authenticator app (TOTP, RFC 6238) of the session's user. Show `uri` as a QR code.",
          "",
          "- Log-ins need no code until `POST /v1/session/totp/confirm`. A secret that was not confirmed is replaced.",
          "- 409: the user has a second factor.",
          "- 422: `password` is wrong. 429: as for a log-in.",
          "- 403: the session is that of an API key."
        ].join("\n")
      )
  )
  .add(
    HttpApiEndpoint.post("confirmTotp", "/session/totp/confirm")
      .setPayload(ConfirmTotp)
      .addSuccess(RecoveryCodes)
      .addError(ConflictError)
      .addError(PayloadTooLargeError)
      .addError(ValidationError)
      .middleware(SessionAuthorization)
      .annotate(OpenApi.Summary, "Confirm a second factor")
      .annotate(
        OpenApi.Description,
        [
          "Log-ins of the session's user need a code from then on. The user's other sessions end within a second.",
          "",
          "- `recoveryCodes` are only in this response. Each replaces the code of one log-in, when the app is lost.",
          "- The code is accepted 30 seconds before and after its time, for clocks that differ, and not for a log-in again.",
          "- 409: there is no secret to confirm, or it is confirmed.",
          "- 422: `code` is wrong.",
          "- 403: the session is that of an API key."
        ].join("\n")
      )
  )
  .add(
    HttpApiEndpoint.post("removeTotp", "/session/totp/remove")
      .setPayload(RemoveTotp)
      .addSuccess(Removed)
      .addError(ConflictError)
      .addError(PayloadTooLargeError)
      .addError(ValidationError)
      .middleware(SessionAuthorization)
      .annotate(OpenApi.Summary, "Remove the second factor")
      .annotate(
        OpenApi.Description,
        [
          "Log-ins of the session's user need no code from then on. The recovery codes end.",
          "",
          "- `code` is a code of the authenticator app or a recovery code.",
          "- 409: the user has no second factor.",
          "- 422: `password` or `code` is wrong. 429: as for a log-in.",
          "- 403: the session is that of an API key."
        ].join("\n")
      )
  )
  .annotate(Audit, { unaudited: auditReasons.session })
  .annotate(BodyLimit, keyBody)
  .annotate(Credentials, ["session"])
  .annotate(Extension, true)
  .annotate(OpenApi.Title, "Sessions") {}
