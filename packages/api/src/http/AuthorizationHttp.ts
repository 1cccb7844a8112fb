import { HttpRouter, HttpServerRequest } from "@effect/platform"
import type { ApiKeyId, ApiKeyIdentity } from "@switchboard/domain/apiKeys/ApiKey"
import { permits } from "@switchboard/domain/apiKeys/Permission"
import { ForbiddenError, type RateLimitedError } from "@switchboard/domain/Errors"
import type { ApiRequestMetadata } from "@switchboard/domain/messages/Message"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { ApiKeys } from "@switchboard/services/apiKeys/ApiKeys"
import { KeyActivity } from "@switchboard/services/apiKeys/KeyActivity"
import { connectionUse } from "@switchboard/services/ConnectionUse"
import { formatTraceParent } from "@switchboard/services/messages/TraceParent"
import { RateLimits } from "@switchboard/services/rateLimits/RateLimits"
import { Sessions } from "@switchboard/services/sessions/Sessions"
import { Context, Effect, Either, FiberRef, HashMap, Layer, Option, Redacted, Tracer } from "effect"
import { Authorization, type CurrentCaller } from "../Authorization.js"
import { isRead, permissionOf, requestCostOf } from "../OperationRules.js"
import { sessionCaller } from "../sessions/SessionCaller.js"
import { sessionToken } from "../sessions/SessionCookie.js"
import { AuthenticationLimit } from "./AuthenticationLimit.js"
import { isWithin } from "./ClientAddress.js"
import { addHeaders, onEnd } from "./CurrentRequest.js"
import { HttpSettings } from "./HttpSettings.js"
import { requestKey } from "./RequestKey.js"
import { requestMetadata } from "./RequestMetadata.js"
import { exceededHeaders, rateHeaders } from "./ResponseHeaders.js"

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

    /** The rest of the checks, for a caller whose key or session is valid. */
    const admit = (
      services: Context.Context<HttpServerRequest.HttpServerRequest | HttpRouter.RouteContext>,
      identity: ApiKeyIdentity,
      authenticate: CurrentCaller["Type"]["authenticate"]
    ): Effect.Effect<CurrentCaller["Type"], ForbiddenError | RateLimitedError> => {
      const { id: apiKeyId, organizationId, permissions } = identity
      if (organizationId === null) return new ForbiddenError({ message: "The API key belongs to no organization" })
      const { route } = Context.get(services, HttpRouter.RouteContext)
      const request = requestMetadata(Context.get(services, HttpServerRequest.HttpServerRequest), isTrusted)
      const permission = permissionOf(route)
      const span = Option.filter(Context.getOption(services, Tracer.ParentSpan), ({ sampled }) => sampled)
      const caller = {
        organizationId,
        apiKeyId,
        permissions,
        request,
        traceParent: Option.getOrNull(Option.map(span, formatTraceParent)),
        authenticate
      }
      const admitted: Effect.Effect<CurrentCaller["Type"], ForbiddenError | RateLimitedError> =
        permission !== null && permits(permissions, permission)
          ? Effect.as(checkRate(organizationId, route), caller)
          : new ForbiddenError({ message: `The API key lacks the permission ${permission ?? "for this"}` })
      return annotate(organizationId, apiKeyId).pipe(
        Effect.zipRight(recordUse(activity, { organizationId, apiKeyId, route: route.path, metadata: request })),
        Effect.zipRight(admitted)
      )
    }

    const checkRate = (organizationId: OrganizationId, route: HttpRouter.Route<unknown, unknown>) => {
      const checked = Effect.matchEffect(limits.request(organizationId, requestCostOf(route)), {
        onFailure: (exceeded) =>
          Effect.zipRight(addHeaders(exceededHeaders(limits.requestLimit, exceeded)), Effect.fail(exceeded)),
        onSuccess: (budget) => (budget === null ? Effect.void : addHeaders(rateHeaders(budget)))
      })
      return isRead(route) ? Effect.zipLeft(checked, FiberRef.set(connectionUse, organizationId)) : checked
    }

    return {
      // `requestKey` reads the key, because the platform would read one header only.
      apiKey: () =>
        Effect.contextWithEffect(
          (services: Context.Context<HttpServerRequest.HttpServerRequest | HttpRouter.RouteContext>) => {
            const request = Context.get(services, HttpServerRequest.HttpServerRequest)
            // A key has precedence over a cookie.
            const key = requestKey(request)
            if (Either.isLeft(key)) return failures.limit(Effect.fail(key.left))
            const hasKey = Redacted.value(key.right) !== ""
            const bySession = !hasKey && Option.isSome(sessionToken(request))
            const authenticate: CurrentCaller["Type"]["authenticate"] = bySession
              ? Effect.map(sessionCaller(sessions, request), ({ identity }) => identity)
              : apiKeys.authenticate(key.right)
            return Effect.flatMap(hasKey || bySession ? failures.limit(authenticate) : authenticate, (identity) =>
              admit(services, identity, authenticate)
            )
          }
        )
    }
  })
)

/** Adds the caller to the log lines of the request. */
const annotate = (organizationId: OrganizationId, apiKeyId: ApiKeyId) =>
  FiberRef.update(FiberRef.currentLogAnnotations, (known) =>
    HashMap.set(HashMap.set(known, "organizationId", organizationId), "apiKeyId", apiKeyId)
  )

interface Use {
  readonly organizationId: OrganizationId
  readonly apiKeyId: ApiKeyId
  readonly route: string
  readonly metadata: ApiRequestMetadata
}

/** Records the use of the key when the response is complete, with its status. */
const recordUse = (activity: KeyActivity, { apiKeyId, metadata, organizationId, route }: Use) =>
  Effect.clockWith((clock) => {
    const at = clock.unsafeCurrentTimeMillis()
    return onEnd((status) =>
      activity.record({
        organizationId,
        apiKeyId,
        method: metadata.method,
        path: metadata.endpoint,
        route,
        status,
        latencyMs: clock.unsafeCurrentTimeMillis() - at,
        ipAddress: metadata.ipAddress,
        at
      })
    )
  })
