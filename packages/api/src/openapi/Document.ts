import { OpenApi } from "@effect/platform"
import { Api } from "../Api.js"
import { operationRules } from "../OperationRules.js"
import { completeDocument } from "./CompleteDocument.js"
import { withWebhooks } from "./Webhooks.js"

/** The platform gives all schemas of unknown content one `$id`; an id must name a single schema (JSON Schema 8.2.1). */
const withoutIds = (derived: OpenApi.OpenAPISpec): OpenApi.OpenAPISpec =>
  JSON.parse(JSON.stringify(derived, (key, value: unknown) => (key === "$id" ? undefined : value)))

/** The machine-readable description of the interface, as it is served and kept in the repository. */
export const document = completeDocument(withoutIds(withWebhooks(OpenApi.fromApi(Api))), operationRules)
