import { HttpApp, HttpRouter, HttpServerRequest } from "@effect/platform"
import type { ApiKeyId } from "@switchboard/domain/apiKeys/ApiKey"
import { permits } from "@switchboard/domain/apiKeys/Permission"
import { ForbiddenError } from "@switchboard/domain/Errors"
import type { ApiRequestMetadata } from "@switchboard/domain/messages/Message"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { ApiKeys } from "@switchboard/services/apiKeys/ApiKeys"
import { KeyActivity } from "@switchboard/services/apiKeys/KeyActivity"
import { connectionUse } from "@switchboard/services/ConnectionUse"
import { formatTraceParent } from "@switchboard/services/messages/TraceParent"
import { RateLimits } from "@switchboard/services/rateLimits/RateLimits"
import { Sessions } from "@switchboard/services/sessions/Sessions"
import { Clock, Effect, FiberRef, HashMap, Layer, Option, Redacted, Tracer } from "effect"
import { Authorization, type CurrentCaller } from "../Authorization.js"
import { isRead, permissionOf, requestCostOf } from "../OperationRules.js"
import { sessionCaller } from "../sessions/SessionCaller.js"
import { sessionToken } from "../sessions/SessionCookie.js"
import { AuthenticationLimit } from "./AuthenticationLimit.js"
import { isWithin } from "./ClientAddress.js"
import { HttpSettings } from "./HttpSettings.js"
import { requestKey } from "./RequestKey.js"
import { requestMetadata } from "./RequestMetadata.js"
import { addHeaders, exceededHeaders, rateHeaders } from "./ResponseHeaders.js"

/** Checks key or session, organization, permission and request rate, in this order. */
export const AuthorizationHttp = Layer.effect(
  Authorization,
  Effect.gen(function* () {
    const apiKeys = yield* ApiKeys
    const sessions = yield* Sessions
    const activity = yield* KeyActivity
    const limits = yield* RateLimits
    const failures = yield* AuthenticationLimit
    const { trustedProxies } = yield* HttpSettings
    const isTrusted = isWithin(trustedProxies)

    return {
      // `requestKey` reads the key, because the platform would read one header only.
      apiKey: () =>
        Effect.gen(function* () {
          const request = yield* HttpServerRequest.HttpServerRequest
          const { route } = yield* HttpRouter.RouteContext
          // A key has precedence over a cookie.
          const key = yield* failures.limit(requestKey(request))
          const hasKey = Redacted.value(key) !== ""
          const bySession = !hasKey && Option.isSome(sessionToken(request))
          const authenticate: CurrentCaller["Type"]["authenticate"] = bySession
            ? Effect.map(sessionCaller(sessions, request), ({ identity }) => identity)
            : apiKeys.authenticate(key)
          const identity = yield* hasKey || bySession ? failures.limit(authenticate) : authenticate
          if (identity.organizationId === null) {
            return yield* new ForbiddenError({ message: "The API key belongs to no organization" })
          }
          const organizationId = identity.organizationId
          yield* FiberRef.update(FiberRef.currentLogAnnotations, (known) =>
            HashMap.set(HashMap.set(known, "organizationId", organizationId), "apiKeyId", identity.id)
          )
          const metadata = requestMetadata(request, isTrusted)
          yield* recordUse(activity, { organizationId, apiKeyId: identity.id, route: route.path, metadata })
          const permission = permissionOf(route)
          if (!permission || !permits(identity.permissions, permission)) {
            return yield* new ForbiddenError({
              message: `The API key lacks the permission ${permission ?? "for this"}`
            })
          }
          const budget = yield* Effect.tapError(limits.request(organizationId, requestCostOf(route)), (exceeded) =>
            addHeaders(exceededHeaders(limits.requestLimit, exceeded))
          )
          if (budget !== null) yield* addHeaders(rateHeaders(budget))
          if (isRead(route)) yield* FiberRef.set(connectionUse, organizationId)
          const span = Option.filter(yield* Effect.serviceOption(Tracer.ParentSpan), ({ sampled }) => sampled)
          return {
            organizationId,
            apiKeyId: identity.id,
            permissions: identity.permissions,
            request: metadata,
            traceParent: Option.getOrNull(Option.map(span, formatTraceParent)),
            authenticate
          }
        })
    }
  })
)

/** Records the use of the key when the response is complete, with its status. */
const recordUse = (
  activity: KeyActivity,
  {
    apiKeyId,
    metadata,
    organizationId,
    route
  }: {
    readonly organizationId: OrganizationId
    readonly apiKeyId: ApiKeyId
    readonly route: string
    readonly metadata: ApiRequestMetadata
  }
) =>
  Effect.flatMap(Clock.currentTimeMillis, (at) =>
    HttpApp.appendPreResponseHandler((_, response) =>
      Effect.map(Clock.currentTimeMillis, (ended) => {
        activity.record({
          organizationId,
          apiKeyId,
          method: metadata.method,
          path: metadata.endpoint,
          route,
          status: response.status,
          latencyMs: ended - at,
          ipAddress: metadata.ipAddress,
          at
        })
        return response
      })
    )
  )
