import { HttpApiBuilder, HttpServerRequest } from "@effect/platform"
import { type CreateSession, SessionMethods } from "@switchboard/domain/sessions/Session"
import { OidcLogin } from "@switchboard/services/sessions/OidcLogin"
import { Sessions } from "@switchboard/services/sessions/Sessions"
import { Accounts } from "@switchboard/services/users/Accounts"
import { Effect, Layer, Option, Redacted } from "effect"
import { Api } from "../Api.js"
import { auditedSession } from "../audit/AuditedSession.js"
import { done, removed } from "../CommonShapes.js"
import { AuthenticationLimit } from "../http/AuthorizationHttp.js"
import { changeResponse, HttpSettings } from "../http/HttpContext.js"
import { withBodies } from "../http/WithBodies.js"
import { clearSession, sessionCaller, sessionToken, setSession } from "./SessionCaller.js"
import { CurrentSession, SessionAuthorization } from "./SessionsApi.js"

const SessionAuthorizationHttp = Layer.effect(
  SessionAuthorization,
  Effect.gen(function* () {
    const sessions = yield* Sessions
    const failures = yield* AuthenticationLimit
    return {
      session: () =>
        Effect.gen(function* () {
          const request = yield* HttpServerRequest.HttpServerRequest
          const caller = sessionCaller(sessions, request)
          const { token } = yield* Option.isSome(sessionToken(request)) ? failures.limit(caller) : caller
          return token
        })
    }
  })
)

export const SessionsHttp = HttpApiBuilder.group(
  Api,
  "sessions",
  Effect.fnUntraced(function* (handlers) {
    const sessions = yield* Sessions
    const failures = yield* AuthenticationLimit
    const accounts = yield* Accounts
    const audited = yield* auditedSession
    const oidc = yield* OidcLogin
    const methods = new SessionMethods({ oidc: Option.getOrUndefined(Option.map(oidc.name, (name) => ({ name }))) })
    const { secureCookies } = yield* HttpSettings

    const logIn = (credentials: CreateSession) => {
      if (credentials.apiKey !== undefined) return failures.limit(sessions.start(Redacted.make(credentials.apiKey)))
      return credentials.loginToken === undefined
        ? failures.guard(
            accounts.logIn(
              credentials.email,
              Redacted.make(credentials.password),
              Option.map(Option.fromNullable(credentials.code), Redacted.make)
            )
          )
        : failures.limit(sessions.exchange(Redacted.make(credentials.loginToken)))
    }

    /** Makes a change of the session's user with an entry in the audit log. */
    const changed = <A, E, R>(name: string, change: (token: Redacted.Redacted<string>) => Effect.Effect<A, E, R>) =>
      Effect.flatMap(CurrentSession, (token) =>
        Effect.flatMap(sessions.authenticate(token), (identity) => audited(`sessions.${name}`, identity, change(token)))
      )

    return yield* handlers
      .handle("create", ({ payload }) =>
        Effect.gen(function* () {
          const { session, token } = yield* logIn(payload)
          // The caller has no session until the response: an entry that cannot be stored prevents it.
          const identity = yield* sessions.authenticate(token)
          yield* audited("sessions.create", identity, changeResponse(setSession(token, secureCookies)))
          return session
        })
      )
      .handle("listMethods", () => Effect.succeed(methods))
      .handle("get", () => Effect.flatMap(CurrentSession, sessions.get))
      .handle("remove", () =>
        Effect.gen(function* () {
          yield* changed("remove", sessions.end)
          yield* changeResponse(clearSession(secureCookies))
          return removed
        })
      )
      .handle("changePassword", ({ payload: { currentPassword, newPassword } }) =>
        changed("changePassword", (token) =>
          Effect.as(accounts.changePassword(token, Redacted.make(currentPassword), Redacted.make(newPassword)), done)
        )
      )
      .handle("beginTotp", ({ payload: { password } }) =>
        Effect.flatMap(CurrentSession, (token) => accounts.beginTotp(token, Redacted.make(password)))
      )
      .handle("confirmTotp", ({ payload: { code } }) =>
        changed("confirmTotp", (token) => accounts.confirmTotp(token, Redacted.make(code)))
      )
      .handle("removeTotp", ({ payload: { code, password } }) =>
        changed("removeTotp", (token) =>
          Effect.as(accounts.removeTotp(token, Redacted.make(password), Redacted.make(code)), removed)
        )
      )
      .pipe(withBodies)
  })
).pipe(Layer.provide(SessionAuthorizationHttp))
