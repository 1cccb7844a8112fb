import { HttpApiBuilder, HttpServerResponse } from "@effect/platform"
import { PublicUrl } from "@switchboard/services/PublicUrl"
import { OidcLogin, oidcCallbackPath, oidcLoginMinutes } from "@switchboard/services/sessions/OidcLogin"
import type { OidcFailureReason } from "@switchboard/services/sessions/OidcProvider"
import { Sessions } from "@switchboard/services/sessions/Sessions"
import { Duration, Effect, Redacted } from "effect"
import { auditedSession } from "../audit/AuditedSession.js"
import { AuthenticationLimit } from "../http/AuthorizationHttp.js"
import { HttpSettings } from "../http/HttpContext.js"
import { queryOf } from "../http/RequestParameters.js"
import { PublicRoutes } from "../openapi/PublicRoutes.js"
import { setSession } from "./SessionCaller.js"

/** The cookie that binds a log-in to the browser in which it began. */
const oidcCookie = "switchboard_oidc"

const redirect = (location: string) =>
  HttpServerResponse.empty({ status: 303, headers: { location, "cache-control": "no-store" } })

/** The redirects of a log-in with OpenID Connect. */
export const OidcHttp = HttpApiBuilder.group(
  PublicRoutes,
  "oidc",
  Effect.fnUntraced(function* (handlers) {
    const login = yield* OidcLogin
    const sessions = yield* Sessions
    const audited = yield* auditedSession
    const failures = yield* AuthenticationLimit
    const publicUrl = yield* PublicUrl
    const { secureCookies } = yield* HttpSettings

    // The provider's redirect is a request of another site: SameSite=Strict would leave the cookie out.
    const cookie = (value: string, maxAge: Duration.Duration) =>
      HttpServerResponse.unsafeSetCookie(oidcCookie, value, {
        httpOnly: true,
        sameSite: "lax",
        path: `${new URL(publicUrl).pathname.replace(/\/$/, "")}${oidcCallbackPath}`,
        secure: secureCookies,
        maxAge
      })
    const failed = (reason: OidcFailureReason) => Effect.succeed(redirect(`${publicUrl}/console/#error=oidc_${reason}`))
    const unavailable = () => failed("unavailable")

    return handlers
      .handle("begin", () =>
        Effect.zipRight(failures.count, login.begin()).pipe(
          Effect.map(({ browser, url }) =>
            cookie(Redacted.value(browser), Duration.minutes(oidcLoginMinutes))(redirect(url))
          ),
          Effect.catchTag("OidcFailure", ({ reason }) => failed(reason))
        )
      )
      .handle("finish", ({ request }) =>
        login.finish(queryOf(request.url), Redacted.make(request.cookies[oidcCookie] ?? "")).pipe(
          Effect.flatMap(({ isNewUser, token }) =>
            Effect.flatMap(sessions.authenticate(token), (identity) =>
              audited(
                isNewUser ? "users.acceptInvitation" : "sessions.create",
                identity,
                Effect.sync(() => setSession(token, secureCookies)(redirect(`${publicUrl}/console/`)))
              )
            )
          ),
          Effect.catchTags({
            OidcFailure: ({ reason }) => failed(reason),
            RateLimitedError: unavailable,
            ServiceUnavailableError: unavailable,
            UnauthorizedError: unavailable
          }),
          Effect.map(cookie("", Duration.zero))
        )
      )
  })
)
