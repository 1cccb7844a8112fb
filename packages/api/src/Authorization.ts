import { HttpApiMiddleware, HttpApiSecurity, OpenApi } from "@effect/platform"
import type { ApiKeyId } from "@switchboard/domain/apiKeys/ApiKey"
import type { Permissions } from "@switchboard/domain/apiKeys/Permission"
import {
  BadRequestError,
  ForbiddenError,
  RateLimitedError,
  ServiceUnavailableError,
  UnauthorizedError
} from "@switchboard/domain/Errors"
import type { ApiRequestMetadata } from "@switchboard/domain/messages/Message"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { Context, Schema } from "effect"

/** Who asks, once the key has been found good for the operation. */
export class CurrentCaller extends Context.Tag("api/CurrentCaller")<
  CurrentCaller,
  {
    readonly organizationId: OrganizationId
    readonly apiKeyId: ApiKeyId
    readonly permissions: Permissions
    readonly request: ApiRequestMetadata
    readonly traceParent: string | null
  }
>() {}

/** Checks the key, its organization, its permission and its request rate, in this order, and that the query is known. */
export class Authorization extends HttpApiMiddleware.Tag<Authorization>()("api/Authorization", {
  failure: Schema.Union(UnauthorizedError, ForbiddenError, RateLimitedError, BadRequestError, ServiceUnavailableError),
  provides: CurrentCaller,
  security: {
    apiKey: HttpApiSecurity.apiKey({ key: "X-API-Key", in: "header" }).pipe(
      HttpApiSecurity.annotate(OpenApi.Description, "A key of one organization. It begins with `sk_sm_`.")
    )
  }
}) {}
