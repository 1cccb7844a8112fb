import { HttpRouter, HttpServerRequest } from "@effect/platform"
import type { ApiKeyId, ApiKeyIdentity } from "@switchboard/domain/apiKeys/ApiKey"
import { permits } from "@switchboard/domain/apiKeys/Permission"
import { ForbiddenError, type RateLimitedError, UnauthorizedError } from "@switchboard/domain/Errors"
import type { ApiRequestMetadata } from "@switchboard/domain/messages/Message"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { ApiKeys } from "@switchboard/services/apiKeys/ApiKeys"
import { KeyActivity } from "@switchboard/services/apiKeys/KeyActivity"
import { connectionUse } from "@switchboard/services/ConnectionUse"
import { formatTraceParent } from "@switchboard/services/messages/SendContext"
import { AuthenticationFailures } from "@switchboard/services/rateLimits/AuthenticationFailures"
import { RateLimits } from "@switchboard/services/rateLimits/RateLimits"
import { Sessions } from "@switchboard/services/sessions/Sessions"
import { Context, Effect, Either, FiberRef, HashMap, Layer, Option, Redacted, Tracer } from "effect"
import { Authorization, type CurrentCaller } from "../Authorization.js"
import { isRead, permissionOf, requestCostOf } from "../OperationRules.js"
import { sessionCaller, sessionToken } from "../sessions/SessionCaller.js"
import {
  type AddressedRequest,
  addHeaders,
  clientAddress,
  exceededHeaders,
  HttpSettings,
  isWithin,
  onEnd,
  rateHeaders
} from "./HttpContext.js"
import { pathOf, queryOf } from "./RequestParameters.js"

/** Limits failed authentications by client address. Valid keys and sessions are not limited. */
export class AuthenticationLimit extends Effect.Service<AuthenticationLimit>()("api/AuthenticationLimit", {
  effect: Effect.gen(function* () {
    const failures = yield* AuthenticationFailures
    const { trustedProxies } = yield* HttpSettings
    const isTrusted = isWithin(trustedProxies)

    /** Fails with 429 instead of 401 if the address of the request exceeds the limit. */
    const limit = <A, E, R>(
      authenticate: Effect.Effect<A, E | UnauthorizedError, R>
    ): Effect.Effect<A, E | UnauthorizedError | RateLimitedError, R | HttpServerRequest.HttpServerRequest> =>
      Effect.tapError(authenticate, (error) =>
        error instanceof UnauthorizedError
          ? Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) =>
              failures.count(clientAddress(request, isTrusted))
            )
          : Effect.void
      )

    return { limit } as const
  }),
  dependencies: [AuthenticationFailures.Default]
}) {}

/** Credentials of a request: a scheme and its parameters (RFC 9110 section 11.4). */
const credentials = /^(?<scheme>[\w!#$%&'*+.^`|~-]+) +(?<parameters>.+)$/

const malformed = new UnauthorizedError({
  message: "The header Authorization must be the word Bearer, a space and the API key"
})

const different = new UnauthorizedError({
  message: "The headers X-API-Key and Authorization must have the same API key"
})

const none = Either.right("")

/**
 * The key in `Authorization` (RFC 6750 section 2.1). The scheme is case-insensitive. Other schemes are ignored: a proxy
 * in front of the service can require them.
 */
const bearerKey = (authorization: string | undefined): Either.Either<string, UnauthorizedError> => {
  if (authorization === undefined) return none
  const { parameters = "", scheme } = credentials.exec(authorization)?.groups ?? {}
  if (scheme !== undefined && scheme.toLowerCase() !== "bearer") return none
  return scheme === undefined || /\s/.test(parameters) ? Either.left(malformed) : Either.right(parameters)
}

/**
 * The API key of a request: in `X-API-Key`, in `Authorization` with the scheme `Bearer`, or the same in both. Empty if
 * the request has none.
 */
const requestKey = ({
  headers: { authorization, "x-api-key": key = "" }
}: HttpServerRequest.HttpServerRequest): Either.Either<Redacted.Redacted<string>, UnauthorizedError> =>
  Either.flatMap(bearerKey(authorization), (bearer) =>
    key !== "" && bearer !== "" && key !== bearer ? Either.left(different) : Either.right(Redacted.make(key || bearer))
  )

/** Names of headers and parameters with credentials. They are not stored. */
const secret = /key|auth|cookie|token|secret|csrf|password|signature/i

const maxValueLength = 500

/** The parts of a request that are stored. */
interface StoredRequest extends AddressedRequest {
  readonly method: string
  readonly url: string
}

const withoutSecrets = (entries: Iterable<readonly [string, string]>) =>
  Object.fromEntries(
    [...entries].filter(([name]) => !secret.test(name)).map(([name, value]) => [name, value.slice(0, maxValueLength)])
  )

/** The metadata of a request that is stored with its message. Values are cut after 500 characters. */
export const requestMetadata = (
  request: StoredRequest,
  isTrusted: (address: string) => boolean
): ApiRequestMetadata => ({
  method: request.method,
  endpoint: pathOf(request.url),
  ipAddress: clientAddress(request, isTrusted),
  userAgent: (request.headers["user-agent"] ?? "").slice(0, maxValueLength),
  headers: withoutSecrets(Object.entries(request.headers)),
  query: withoutSecrets(queryOf(request.url))
})

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
