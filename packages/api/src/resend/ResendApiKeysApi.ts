import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "@effect/platform"
import { type ApiKey, ApiKeyId, type CreateApiKey } from "@switchboard/domain/apiKeys/ApiKey"
import { text } from "@switchboard/domain/Text"
import { DateTime, Schema } from "effect"
import { Audit, Permission } from "../Annotations.js"
import { Authorization } from "../Authorization.js"
import { ResendList, ResendListParams, referenceOf, removedOf } from "./ResendShapes.js"

const id = Schema.Struct({ id: ApiKeyId })
const name = text(1, 200)

/** The body of POST /api-keys. A key is not restricted to one domain: `domain_id` is an unknown field. */
const ResendNewKey = Schema.Struct({
  name,
  permission: Schema.optional(Schema.Literal("full_access", "sending_access")).annotations({
    description: "`sending_access`: only send emails; default: `full_access`"
  })
}).annotations({ identifier: "CreateApiKeyRequest" })

/** The body of POST /v1/api-keys that creates the same key. */
export const toNewKey = ({ name, permission }: typeof ResendNewKey.Type): CreateApiKey =>
  permission === "sending_access" ? { name, permissions: { messages: ["send"] } } : { name, roleName: "admin" }

const ResendKey = Schema.Struct({
  id: ApiKeyId,
  name: Schema.String,
  created_at: Schema.String,
  last_used_at: Schema.NullOr(Schema.String)
}).annotations({ identifier: "ApiKey" })

/** An API key in a list. */
export const toResendKey = ({ createdAt, id, lastUsedAt, name }: ApiKey): typeof ResendKey.Type => ({
  id,
  name,
  created_at: DateTime.formatIso(createdAt),
  last_used_at: lastUsedAt === undefined ? null : DateTime.formatIso(lastUsedAt)
})

/** API keys of the organization. */
export class ResendApiKeysApi extends HttpApiGroup.make("apiKeys")
  .add(
    HttpApiEndpoint.post("create", "/api-keys")
      .setPayload(ResendNewKey)
      .addSuccess(
        Schema.Struct({
          id: ApiKeyId,
          token: Schema.String.annotations({ description: "the key, in this response only" })
        }).annotations({ identifier: "CreateApiKeyResponse" }),
        { status: 201 }
      )
      .annotate(Audit, { values: "resource", path: "/v1/api-keys/:id" })
      .annotate(Permission, "apiKeys.write")
      .annotate(OpenApi.Summary, "Create an API key")
      .annotate(OpenApi.Description, "A key can't have more permissions than the key that creates it.")
  )
  .add(
    HttpApiEndpoint.get("list", "/api-keys")
      .setUrlParams(ResendListParams)
      .addSuccess(ResendList(ResendKey).annotations({ identifier: "ListApiKeysResponse" }))
      .annotate(Permission, "apiKeys.read")
      .annotate(OpenApi.Summary, "List API keys")
      .annotate(OpenApi.Description, "API keys of the organization, newest first.")
  )
  .add(
    HttpApiEndpoint.patch("update", "/api-keys/:id")
      .setPath(id)
      .setPayload(Schema.Struct({ name }).annotations({ identifier: "UpdateApiKeyRequest" }))
      .addSuccess(referenceOf("api_key", ApiKeyId).annotations({ identifier: "UpdateApiKeyResponse" }))
      .annotate(Audit, { values: "resource", path: "/v1/api-keys/:id" })
      .annotate(Permission, "apiKeys.write")
      .annotate(OpenApi.Summary, "Rename an API key")
      .annotate(OpenApi.Description, "Changes the name of a key.")
  )
  .add(
    HttpApiEndpoint.del("remove", "/api-keys/:id")
      .setPath(id)
      .addSuccess(removedOf("api_key", ApiKeyId).annotations({ identifier: "DeleteApiKeyResponse" }))
      .annotate(Audit, { values: "resource", path: "/v1/api-keys/:id" })
      .annotate(Permission, "apiKeys.write")
      .annotate(OpenApi.Summary, "Delete an API key")
      .annotate(OpenApi.Description, "The key is refused within a second.")
  )
  .middleware(Authorization)
  .annotate(OpenApi.Title, "API keys") {}
