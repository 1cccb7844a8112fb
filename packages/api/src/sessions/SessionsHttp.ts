import { HttpApiBuilder, HttpServerRequest } from "@effect/platform"
import { Sessions } from "@switchboard/services/sessions/Sessions"
import { Effect, Layer, Option, Redacted } from "effect"
import { Api } from "../Api.js"
import { removed } from "../CommonShapes.js"
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
    const { secureCookies } = yield* HttpSettings
    return yield* handlers
      .handle("create", ({ payload: { apiKey, loginToken } }) =>
        Effect.gen(function* () {
          const { session, token } = yield* failures.limit(
            loginToken === undefined
              ? sessions.start(Redacted.make(apiKey))
              : sessions.exchange(Redacted.make(loginToken))
          )
          yield* changeResponse(setSession(token, secureCookies))
          return session
        })
      )
      .handle("get", () => Effect.flatMap(CurrentSession, sessions.get))
      .handle("remove", () =>
        Effect.gen(function* () {
          yield* sessions.end(yield* CurrentSession)
          yield* changeResponse(clearSession(secureCookies))
          return removed
        })
      )
      .pipe(withBodies)
  })
).pipe(Layer.provide(SessionAuthorizationHttp))
