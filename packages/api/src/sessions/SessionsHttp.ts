import { HttpApiBuilder, HttpServerRequest } from "@effect/platform"
import { type CreateSession, SessionMethods } from "@switchboard/domain/sessions/Session"
import { OidcLogin } from "@switchboard/services/sessions/OidcLogin"
import { Sessions } from "@switchboard/services/sessions/Sessions"
import { Accounts } from "@switchboard/services/users/Accounts"
import { Effect, Layer, Option, Redacted } from "effect"
import { Api } from "../Api.js"
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
    const oidc = yield* OidcLogin
    const methods = new SessionMethods({ oidc: Option.getOrUndefined(Option.map(oidc.name, (name) => ({ name }))) })
    const { secureCookies } = yield* HttpSettings

    const logIn = (credentials: CreateSession) => {
      if (credentials.apiKey !== undefined) return failures.limit(sessions.start(Redacted.make(credentials.apiKey)))
      return credentials.loginToken === undefined
        ? failures.guard(accounts.logIn(credentials.email, Redacted.make(credentials.password)))
        : failures.limit(sessions.exchange(Redacted.make(credentials.loginToken)))
    }

    return yield* handlers
      .handle("create", ({ payload }) =>
        Effect.gen(function* () {
          const { session, token } = yield* logIn(payload)
          yield* changeResponse(setSession(token, secureCookies))
          return session
        })
      )
      .handle("listMethods", () => Effect.succeed(methods))
      .handle("get", () => Effect.flatMap(CurrentSession, sessions.get))
      .handle("remove", () =>
        Effect.gen(function* () {
          yield* sessions.end(yield* CurrentSession)
          yield* changeResponse(clearSession(secureCookies))
          return removed
        })
      )
      .handle("changePassword", ({ payload: { currentPassword, newPassword } }) =>
        Effect.gen(function* () {
          const token = yield* CurrentSession
          yield* accounts.changePassword(token, Redacted.make(currentPassword), Redacted.make(newPassword))
          return done
        })
      )
      .pipe(withBodies)
  })
).pipe(Layer.provide(SessionAuthorizationHttp))
