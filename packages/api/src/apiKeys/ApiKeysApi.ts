import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "@effect/platform"
import { ApiKey, ApiKeyId } from "@switchboard/domain/apiKeys/ApiKey"
import { ApiKeyActivity, ApiKeyStats } from "@switchboard/domain/apiKeys/ApiKeyActivity"
import { ApiKeyFilters, CreateApiKey, RotateApiKey, UpdateApiKey } from "@switchboard/domain/apiKeys/ApiKeyRequests"
import { PayloadTooLargeError, ResourceNotFoundError, ValidationError } from "@switchboard/domain/Errors"
import { Page, PageParams } from "@switchboard/domain/Page"
import { Schema } from "effect"
import { Examples, Permission } from "../Annotations.js"
import { Authorization } from "../Authorization.js"
import { Removed } from "../CommonShapes.js"
import { Filters } from "../Filters.js"
import { apiKeyExamples } from "./ApiKeyExamples.js"

const id = Schema.Struct({ id: ApiKeyId })

/** What a list of keys may be narrowed to. */
export const ApiKeyListParams = Schema.Struct({
  ...PageParams,
  filters: Schema.optional(Filters(ApiKeyFilters, { isActive: true, search: "shop" }))
})

export const ApiKeyPage = Page(ApiKey).annotations({ identifier: "ApiKeyPage" })
export const ApiKeyActivityPage = Page(ApiKeyActivity).annotations({ identifier: "ApiKeyActivityPage" })

/** The keys of an organization. */
export class ApiKeysApi extends HttpApiGroup.make("apiKeys")
  .add(
    HttpApiEndpoint.get("list", "/api-keys")
      .setUrlParams(ApiKeyListParams)
      .addSuccess(ApiKeyPage)
      .annotate(Permission, "apiKeys.read")
      .annotate(OpenApi.Summary, "List API keys")
      .annotate(OpenApi.Description, "Keys of the organization, newest first. Their values are not shown.")
  )
  .add(
    HttpApiEndpoint.post("create", "/api-keys")
      .setPayload(CreateApiKey)
      .addSuccess(ApiKey, { status: 201 })
      .addError(PayloadTooLargeError)
      .addError(ValidationError)
      .annotate(Permission, "apiKeys.write")
      .annotate(OpenApi.Summary, "Create an API key")
      .annotate(
        OpenApi.Description,
        "Makes a key with the permissions given, or with those of a role. The whole key is in this answer and never shown again. A key can't grant what it may not do itself (403)."
      )
  )
  .add(
    HttpApiEndpoint.get("get", "/api-keys/:id")
      .setPath(id)
      .addSuccess(ApiKey)
      .addError(ResourceNotFoundError)
      .annotate(Permission, "apiKeys.read")
      .annotate(OpenApi.Summary, "Retrieve an API key")
      .annotate(OpenApi.Description, "One key as it is now. `lastUsedAt` may be up to a minute late.")
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
        "Changes what is given; null takes the description or the expiry away. It is in force everywhere within a second, also where a key changes itself. A key that may do more than the caller can't be changed (403)."
      )
  )
  .add(
    HttpApiEndpoint.del("remove", "/api-keys/:id")
      .setPath(id)
      .addSuccess(Removed)
      .addError(ResourceNotFoundError)
      .annotate(Permission, "apiKeys.write")
      .annotate(OpenApi.Summary, "Remove an API key")
      .annotate(
        OpenApi.Description,
        "The key stops for good, everywhere within a second. A key may remove itself, but none that may do more than itself (403)."
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
        "Gives the key a new value, which is in this answer alone. The old one works for `gracePeriodSeconds` more; a further rotation ends that grace. A key that may do more than the caller can't be rotated (403)."
      )
  )
  .add(
    HttpApiEndpoint.get("activity", "/api-keys/:id/activity")
      .setPath(id)
      .setUrlParams(Schema.Struct(PageParams))
      .addSuccess(ApiKeyActivityPage)
      .addError(ResourceNotFoundError)
      .annotate(Permission, "apiKeys.read")
      .annotate(OpenApi.Summary, "List what an API key was used for")
      .annotate(OpenApi.Description, "The key's requests of the last 30 days, newest first, a second or two late.")
  )
  .add(
    HttpApiEndpoint.get("stats", "/api-keys/:id/stats")
      .setPath(id)
      .addSuccess(ApiKeyStats)
      .addError(ResourceNotFoundError)
      .annotate(Permission, "apiKeys.read")
      .annotate(OpenApi.Summary, "Count what an API key was used for")
      .annotate(OpenApi.Description, "Counts over the key's requests of the last 30 days.")
  )
  .middleware(Authorization)
  .annotate(Examples, apiKeyExamples)
  .annotate(OpenApi.Title, "API keys") {}
