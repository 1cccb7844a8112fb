import { HttpApiBuilder } from "@effect/platform"
import { CreateSession, Session } from "@switchboard/domain/sessions/Session"
import { Sessions } from "@switchboard/services/sessions/Sessions"
import { Effect, Redacted } from "effect"
import { Api } from "../Api.js"
import { readBody } from "../Door.js"
import { HttpSettings } from "../HttpSettings.js"
import { respond } from "../Respond.js"
import { Removed } from "../Wire.js"
import { sessionCaller } from "./SessionCaller.js"
import { clearSession, setSession } from "./SessionCookie.js"

const answerSession = respond(Session)
const answerRemoved = respond(Removed)

const readLogIn = readBody(CreateSession)

export const SessionsHttp = HttpApiBuilder.group(
  Api,
  "sessions",
  Effect.fnUntraced(function* (handlers) {
    const sessions = yield* Sessions
    const { secureCookies } = yield* HttpSettings
    return handlers
      .handleRaw("create", () =>
        Effect.gen(function* () {
          const { apiKey } = yield* readLogIn
          const { session, token } = yield* sessions.start(Redacted.make(apiKey))
          return answerSession(session).pipe(setSession(token, secureCookies))
        })
      )
      .handleRaw("remove", () =>
        Effect.gen(function* () {
          const { token } = yield* sessionCaller(sessions)
          yield* sessions.end(token)
          return answerRemoved({ success: true }).pipe(clearSession(secureCookies))
        })
      )
  })
)
