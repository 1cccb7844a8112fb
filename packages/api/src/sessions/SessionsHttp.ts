import { HttpApiBuilder, HttpServerRequest } from "@effect/platform"
import { CreateSession, Session } from "@switchboard/domain/sessions/Session"
import { Sessions } from "@switchboard/services/sessions/Sessions"
import { Effect, Option, Redacted } from "effect"
import { Api } from "../Api.js"
import { AuthenticationLimit } from "../AuthenticationLimit.js"
import { readBody } from "../Door.js"
import { HttpSettings } from "../HttpSettings.js"
import { respond } from "../Respond.js"
import { Removed } from "../Wire.js"
import { sessionCaller } from "./SessionCaller.js"
import { clearSession, sessionToken, setSession } from "./SessionCookie.js"

const answerSession = respond(Session)
const answerRemoved = respond(Removed)

const readLogIn = readBody(CreateSession)

export const SessionsHttp = HttpApiBuilder.group(
  Api,
  "sessions",
  Effect.fnUntraced(function* (handlers) {
    const sessions = yield* Sessions
    const failures = yield* AuthenticationLimit
    const { secureCookies } = yield* HttpSettings
    return handlers
      .handleRaw("create", () =>
        Effect.gen(function* () {
          const { apiKey } = yield* readLogIn
          const { session, token } = yield* failures.limit(sessions.start(Redacted.make(apiKey)))
          return answerSession(session).pipe(setSession(token, secureCookies))
        })
      )
      .handleRaw("remove", () =>
        Effect.gen(function* () {
          const request = yield* HttpServerRequest.HttpServerRequest
          const caller = sessionCaller(sessions, request)
          const { token } = yield* Option.isSome(sessionToken(request)) ? failures.limit(caller) : caller
          yield* sessions.end(token)
          return answerRemoved({ success: true }).pipe(clearSession(secureCookies))
        })
      )
  })
)
