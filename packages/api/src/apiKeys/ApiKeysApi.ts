import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "@effect/platform"
import {
  ApiKey,
  ApiKeyActivity,
  ApiKeyFilters,
  ApiKeyId,
  ApiKeyStats,
  CreateApiKey,
  RotateApiKey,
  UpdateApiKey
} from "@switchboard/domain/apiKeys/ApiKey"
import { ConflictError, PayloadTooLargeError, ResourceNotFoundError, ValidationError } from "@switchboard/domain/Errors"
import { Page, PageParams } from "@switchboard/domain/Page"
import { Schema } from "effect"
import { Location, Permission } from "../Annotations.js"
import { Authorization } from "../Authorization.js"
import { Removed } from "../CommonShapes.js"
import { IdempotencyHeaders } from "../idempotency/IdempotencyKeyHeader.js"
import { Filters } from "../JsonParameter.js"

const id = Schema.Struct({ id: ApiKeyId })

/** Query parameters of the list of keys. */
export const ApiKeyListParams = Schema.Struct({
  ...PageParams,
  filters: Schema.optional(Filters(ApiKeyFilters, { isActive: true, search: "shop" }))
})

export const ApiKeyPage = Page(ApiKey).annotations({ identifier: "ApiKeyPage" })
export const ApiKeyActivityPage = Page(ApiKeyActivity).annotations({ identifier: "ApiKeyActivityPage" })

/** API keys of an organization. */
export class ApiKeysApi extends HttpApiGroup.make("apiKeys")
  .add(
    HttpApiEndpoint.get("list", "/api-keys")
      .setUrlParams(ApiKeyListParams)
      .addSuccess(ApiKeyPage)
      .annotate(Permission, "apiKeys.read")
      .annotate(OpenApi.Summary, "List API keys")
      .annotate(OpenApi.Description, "API keys of the organization, newest first. The complete keys are not shown.")
  )
  .add(
    HttpApiEndpoint.post("create", "/api-keys")
      .setHeaders(IdempotencyHeaders)
      .setPayload(CreateApiKey)
      .addSuccess(ApiKey, { status: 201 })
      .addError(ConflictError)
      .addError(PayloadTooLargeError)
      .addError(ValidationError)
      .annotate(Location, "/v1/api-keys/:id")
      .annotate(Permission, "apiKeys.write")
      .annotate(OpenApi.Summary, "Create an API key")
      .annotate(
        OpenApi.Description,
        "Creates a key with the given permissions, or with those of a role. Only this response has the complete key. A key cannot grant permissions that it lacks (403)."
      )
  )
  .add(
    HttpApiEndpoint.get("get", "/api-keys/:id")
      .setPath(id)
      .addSuccess(ApiKey)
      .addError(ResourceNotFoundError)
      .annotate(Permission, "apiKeys.read")
      .annotate(OpenApi.Summary, "Retrieve an API key")
      .annotate(OpenApi.Description, "Returns the key without its secret part. `lastUsedAt` may lag by up to a minute.")
  )
  .add(
    HttpApiEndpoint.patch("update", "/api-keys/:id")
      .setPath(id)
      .setPayload(UpdateApiKey)
      .addSuccess(ApiKey)
      .addError(PayloadTooLargeError)
      .addError(ResourceNotFoundError)
      .addError(ValidationError)
      .annotate(Permission, "apiKeys.write")
      .annotate(OpenApi.Summary, "Update an API key")
      .annotate(
        OpenApi.Description,
        "Changes the given fields. `null` removes the description or the expiry. The change applies within a second. A key with permissions that the caller lacks cannot be changed (403)."
      )
  )
  .add(
    HttpApiEndpoint.del("remove", "/api-keys/:id")
      .setPath(id)
      .addSuccess(Removed)
      .addError(ResourceNotFoundError)
      .annotate(Permission, "apiKeys.write")
      .annotate(OpenApi.Summary, "Delete an API key")
      .annotate(
        OpenApi.Description,
        "The key is rejected within a second, permanently. A key can delete itself, but no key with permissions that it lacks (403)."
      )
  )
  .add(
    HttpApiEndpoint.post("rotate", "/api-keys/:id/rotate")
      .setPath(id)
      .setPayload(RotateApiKey)
      .addSuccess(ApiKey)
      .addError(PayloadTooLargeError)
      .addError(ResourceNotFoundError)
      .addError(ValidationError)
      .annotate(Permission, "apiKeys.write")
      .annotate(OpenApi.Summary, "Rotate an API key")
      .annotate(
        OpenApi.Description,
        [
          "Replaces the secret value of the key. Only this response has the new value.",
          "",
          "- The old value works for `gracePeriodSeconds` more, also after another rotation.",
          "- At most 10 old values work. The one nearest its end is dropped first.",
          "- A key with permissions that the caller lacks cannot be rotated (403)."
        ].join("\n")
      )
  )
  .add(
    HttpApiEndpoint.get("activity", "/api-keys/:id/activity")
      .setPath(id)
      .setUrlParams(Schema.Struct(PageParams))
      .addSuccess(ApiKeyActivityPage)
      .addError(ResourceNotFoundError)
      .annotate(Permission, "apiKeys.read")
      .annotate(OpenApi.Summary, "List the requests of an API key")
      .annotate(
        OpenApi.Description,
        "Requests of the last 30 days, newest first. They appear after one or two seconds."
      )
  )
  .add(
    HttpApiEndpoint.get("stats", "/api-keys/:id/stats")
      .setPath(id)
      .addSuccess(ApiKeyStats)
      .addError(ResourceNotFoundError)
      .annotate(Permission, "apiKeys.read")
      .annotate(OpenApi.Summary, "Retrieve the usage of an API key")
      .annotate(OpenApi.Description, "Counts the requests of the last 30 days.")
  )
  .middleware(Authorization)
  .annotate(OpenApi.Title, "API keys") {}
