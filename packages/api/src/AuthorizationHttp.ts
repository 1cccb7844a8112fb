import { HttpApp, HttpRouter, HttpServerRequest, HttpServerResponse } from "@effect/platform"
import { permits } from "@switchboard/domain/apiKeys/Permission"
import { ForbiddenError } from "@switchboard/domain/Errors"
import { ApiKeys } from "@switchboard/services/apiKeys/ApiKeys"
import { formatTraceParent } from "@switchboard/services/messages/TraceParent"
import { RateLimits } from "@switchboard/services/rateLimits/RateLimits"
import { Sessions } from "@switchboard/services/sessions/Sessions"
import { Effect, FiberRef, HashMap, Layer, Option } from "effect"
import { Authorization } from "./Authorization.js"
import { HttpSettings } from "./HttpSettings.js"
import { permissionOf, takesSession } from "./OperationRules.js"
import { requestMetadata, trustedBy } from "./RequestMetadata.js"
import { sessionCaller } from "./sessions/SessionCaller.js"
import { sessionToken } from "./sessions/SessionCookie.js"

/** Checks who asks, in the order of the contract: key, organization, permission, rate. */
export const AuthorizationHttp = Layer.effect(
  Authorization,
  Effect.gen(function* () {
    const apiKeys = yield* ApiKeys
    const sessions = yield* Sessions
    const limits = yield* RateLimits
    const { trustedProxies } = yield* HttpSettings
    const isTrusted = trustedBy(trustedProxies)

    return {
      apiKey: (key) =>
        Effect.gen(function* () {
          const request = yield* HttpServerRequest.HttpServerRequest
          const { route } = yield* HttpRouter.RouteContext
          // The header decides where there is one. A cookie counts only where the operation says so.
          const bySession = request.headers["x-api-key"] === undefined && takesSession(route)
          const identity =
            bySession && Option.isSome(sessionToken(request))
              ? (yield* sessionCaller(sessions)).identity
              : yield* apiKeys.authenticate(key)
          if (identity.organizationId === null) {
            return yield* new ForbiddenError({ message: "The API key belongs to no organization" })
          }
          const permission = permissionOf(route)
          if (!permission || !permits(identity.permissions, permission)) {
            return yield* new ForbiddenError({
              message: `The API key lacks the permission ${permission ?? "for this"}`
            })
          }
          const organizationId = identity.organizationId
          yield* FiberRef.update(FiberRef.currentLogAnnotations, (known) =>
            HashMap.set(known, "organizationId", organizationId)
          )
          const budget = yield* Effect.tapError(limits.request(organizationId), ({ retryAfterSeconds }) =>
            announce({ limit: limits.requestLimit, remaining: 0, resetSeconds: retryAfterSeconds })
          )
          if (budget !== null) yield* announce(budget)
          const span = yield* Effect.option(Effect.currentSpan)
          return {
            organizationId,
            apiKeyId: identity.id,
            request: requestMetadata(request, isTrusted),
            traceParent: Option.getOrNull(
              Option.map(
                Option.filter(span, ({ sampled }) => sampled),
                formatTraceParent
              )
            )
          }
        })
    }
  })
)

const announce = ({ limit, remaining, resetSeconds }: { limit: number; remaining: number; resetSeconds: number }) =>
  HttpApp.appendPreResponseHandler((_, response) =>
    Effect.succeed(
      HttpServerResponse.setHeaders(response, {
        "ratelimit-limit": String(limit),
        "ratelimit-remaining": String(Math.max(0, Math.floor(remaining))),
        "ratelimit-reset": String(resetSeconds)
      })
    )
  )
