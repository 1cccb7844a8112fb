import { HttpApiBuilder, HttpServerRequest } from "@effect/platform"
import type { ApiKeyIdentity } from "@switchboard/domain/apiKeys/ApiKey"
import { AuditLog } from "@switchboard/services/audit/AuditLog"
import { Sessions } from "@switchboard/services/sessions/Sessions"
import { Effect, Layer, Option, Redacted } from "effect"
import { Api } from "../Api.js"
import { removed } from "../CommonShapes.js"
import { AuthenticationLimit, requestMetadata } from "../http/AuthorizationHttp.js"
import { CurrentRequest, changeResponse, HttpSettings, isWithin } from "../http/HttpContext.js"
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
    const log = yield* AuditLog
    const { secureCookies, trustedProxies } = yield* HttpSettings
    const isTrusted = isWithin(trustedProxies)

    /** Records a log-in or a log-out: the organization is known after the authentication only. */
    const audited = <A, E, R>(name: string, { id, organizationId }: ApiKeyIdentity, change: Effect.Effect<A, E, R>) =>
      Effect.gen(function* () {
        if (organizationId === null) return yield* change
        const { ipAddress, userAgent } = requestMetadata(yield* HttpServerRequest.HttpServerRequest, isTrusted)
        const current = yield* Effect.serviceOption(CurrentRequest)
        return yield* log.audited(
          {
            organizationId,
            apiKeyId: id,
            operation: `sessions.${name}`,
            resource: "sessions",
            resourceId: null,
            ipAddress,
            userAgent,
            requestId: Option.getOrNull(Option.map(current, ({ requestId }) => requestId))
          },
          change,
          () => Effect.succeed({ resourceId: null, changes: null })
        )
      })

    return yield* handlers
      .handle("create", ({ payload: { apiKey, loginToken } }) =>
        Effect.gen(function* () {
          const { session, token } = yield* failures.limit(
            loginToken === undefined
              ? sessions.start(Redacted.make(apiKey))
              : sessions.exchange(Redacted.make(loginToken))
          )
          // The caller has no session until the response: an entry that cannot be stored prevents it.
          const identity = yield* sessions.authenticate(token)
          yield* audited("create", identity, changeResponse(setSession(token, secureCookies)))
          return session
        })
      )
      .handle("get", () => Effect.flatMap(CurrentSession, sessions.get))
      .handle("remove", () =>
        Effect.gen(function* () {
          const token = yield* CurrentSession
          yield* audited("remove", yield* sessions.authenticate(token), sessions.end(token))
          yield* changeResponse(clearSession(secureCookies))
          return removed
        })
      )
      .pipe(withBodies)
  })
).pipe(Layer.provide(SessionAuthorizationHttp))
