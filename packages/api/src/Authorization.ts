import { HttpApiMiddleware, HttpApiSecurity, OpenApi } from "@effect/platform"
import type { ApiKeyId, ApiKeyIdentity } from "@switchboard/domain/apiKeys/ApiKey"
import type { Permissions } from "@switchboard/domain/apiKeys/Permission"
import {
  ForbiddenError,
  RateLimitedError,
  ServiceUnavailableError,
  UnauthorizedError
} from "@switchboard/domain/Errors"
import type { ApiRequestMetadata } from "@switchboard/domain/messages/Message"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { Context, type Effect, Schema } from "effect"

/** The caller of an operation, after authentication and authorization. */
export class CurrentCaller extends Context.Tag("api/CurrentCaller")<
  CurrentCaller,
  {
    readonly organizationId: OrganizationId
    readonly apiKeyId: ApiKeyId
    readonly permissions: Permissions
    readonly request: ApiRequestMetadata
    readonly traceParent: string | null
    /** Authenticates the request again. Fails when its API key or its session has ended. */
    readonly authenticate: Effect.Effect<ApiKeyIdentity, ForbiddenError | ServiceUnavailableError | UnauthorizedError>
  }
>() {}

/**
 * Checks the API key or the session, the organization, the permission and the request rate, in this order. Declares only
 * the API key, because the platform would authenticate a request once for each declared scheme.
 */
export class Authorization extends HttpApiMiddleware.Tag<Authorization>()("api/Authorization", {
  failure: Schema.Union(UnauthorizedError, ForbiddenError, RateLimitedError, ServiceUnavailableError),
  provides: CurrentCaller,
  security: {
    apiKey: HttpApiSecurity.apiKey({ key: "X-API-Key", in: "header" }).pipe(
      HttpApiSecurity.annotate(OpenApi.Description, "API key of one organization. It begins with `sk_sm_`.")
    )
  }
}) {}
