import { HttpApi, HttpApiEndpoint, HttpApiGroup, OpenApi } from "@effect/platform"
import { ApiError } from "@switchboard/domain/Errors"
import { Schema } from "effect"
import { Credentials } from "../Annotations.js"
import { ResendApiKeysApi } from "./ResendApiKeysApi.js"
import { ResendDomainsApi } from "./ResendDomainsApi.js"
import { ResendEmailsApi } from "./ResendEmailsApi.js"
import { ResendReceivingApi } from "./ResendReceivingApi.js"
import { ResendTemplatesApi } from "./ResendTemplatesApi.js"
import { ResendWebhooksApi } from "./ResendWebhooksApi.js"

const ResendDocumentation = HttpApiGroup.make("description")
  .add(
    HttpApiEndpoint.get("document", "/openapi.json")
      .addSuccess(Schema.Unknown.annotations({ description: "OpenAPI 3.1 document", jsonSchema: {} }))
      .annotate(Credentials, [])
      .annotate(OpenApi.Summary, "Retrieve the OpenAPI document")
      .annotate(
        OpenApi.Description,
        "Returns this document, with an `ETag`. If `If-None-Match` has it: 304 without a body."
      )
  )
  .annotate(OpenApi.Title, "Documentation")

/**
 * The operations of the Resend API (https://resend.com/docs/api-reference) that this service has, in its wire forms. All
 * errors have the form `ResendError`, as which the server writes the errors of the handlers.
 */
export class ResendApi extends HttpApi.make("resend")
  .add(ResendEmailsApi)
  .add(ResendReceivingApi)
  .add(ResendDomainsApi)
  .add(ResendTemplatesApi)
  .add(ResendWebhooksApi)
  .add(ResendApiKeysApi)
  .add(ResendDocumentation)
  .addError(ApiError)
  .prefix("/resend")
  .annotate(OpenApi.Title, "Switchboard for the Resend SDKs")
  .annotate(OpenApi.Version, "1.0.0")
  .annotate(
    OpenApi.Description,
    "The operations of the Resend API that Switchboard has, so that the Resend SDKs work unchanged. Every error is a flat JSON object with `statusCode`, `name` and `message`."
  ) {}
