import { HttpApiBuilder, OpenApi } from "@effect/platform"
import { PublicUrl } from "@switchboard/services/PublicUrl"
import { Version } from "@switchboard/services/Version"
import { Effect, JSONSchema, Record } from "effect"
import { platformSchemas } from "../openapi/CompleteOperation.js"
import { withoutEmpty } from "../openapi/Document.js"
import { atFirstRequest } from "../openapi/DocumentHttp.js"
import { ResendApi } from "./ResendApi.js"
import { ResendError } from "./ResendError.js"

const failure = (description: string) => ({
  description,
  content: { "application/json": { schema: { $ref: "#/components/schemas/ResendError" } } }
})

const bearer = "bearer"

/**
 * The OpenAPI document of the Resend API. It describes errors as the server writes them: in one form, with the statuses of
 * Resend instead of those of the errors that handlers fail with.
 */
export const makeResendDocument = (publicUrl: string, release: string): OpenApi.OpenAPISpec => {
  const { components, info, paths, ...document } = OpenApi.fromApi(ResendApi)
  const written = Record.map(paths, (methods) =>
    Record.map<string, OpenApi.OpenAPISpecOperation, object>(methods, (operation) => ({
      ...operation,
      security: operation.security.map(() => ({ [bearer]: [] })),
      responses: {
        ...Record.filter(operation.responses, (_, status) => Number(status) < 300),
        "4XX": failure("The request is refused"),
        "5XX": failure("The service failed, or does not have the operation")
      }
    }))
  )
  const schemas = {
    ...Record.filter(components.schemas, (_, name) => !platformSchemas.includes(name)),
    ...JSONSchema.make(ResendError).$defs
  }
  const text = JSON.stringify([written, schemas])
  return withoutEmpty({
    ...document,
    info: { ...info, license: { name: "MIT", identifier: "MIT" }, "x-switchboard-release": release },
    servers: [{ url: publicUrl }],
    paths: written,
    components: {
      securitySchemes: { [bearer]: { type: "http", scheme: "bearer", description: "API key of one organization" } },
      schemas: Record.filter(schemas, (_, name) => text.includes(`"#/components/schemas/${name}"`))
    }
  })
}

/** Serves the document of the Resend API. */
export const ResendDocumentHttp = HttpApiBuilder.group(
  ResendApi,
  "description",
  Effect.fnUntraced(function* (handlers) {
    const publicUrl = yield* PublicUrl
    const release = yield* Version
    const document = yield* atFirstRequest(
      Effect.sync(() => ({
        text: JSON.stringify(makeResendDocument(publicUrl, release)),
        contentType: "application/json"
      }))
    )
    return handlers.handle("document", ({ request }) => Effect.map(document, (respond) => respond(request)))
  })
)
