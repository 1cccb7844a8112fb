import { errorExamples } from "./Examples.js"

const described = (summary: string, contentType: string) => ({
  get: {
    tags: ["Description"],
    operationId: summary,
    summary,
    parameters: [],
    security: [],
    responses: { 200: { description: summary, content: { [contentType]: { schema: {} } } } }
  }
})

const json = (schema: object, example: unknown) => ({ "application/json": { schema, example } })

const unavailable = {
  503: {
    description: "A temporary outage",
    headers: {
      "Retry-After": { description: "seconds to wait before the next try", schema: { type: "integer" } }
    },
    content: json({ $ref: "#/components/schemas/ServiceUnavailableError" }, errorExamples.ServiceUnavailableError)
  }
}

/** What whoever watches over a process asks it. */
const probe = (operationId: string, summary: string, status: string, failures: object = {}) => ({
  get: {
    tags: ["Health"],
    operationId,
    summary,
    parameters: [],
    security: [],
    responses: {
      200: {
        description: summary,
        content: json(
          {
            type: "object",
            required: ["status"],
            properties: { status: { type: "string", enum: [status] } },
            additionalProperties: false
          },
          { status }
        )
      },
      ...failures
    }
  }
})

/** Routes outside the declaration, which nobody needs a key for. */
export const keylessRoutes = {
  "/healthz": probe("health.alive", "Whether the process lives", "alive"),
  "/readyz": probe("health.ready", "Whether the process can serve", "ready", unavailable),
  "/v1/openapi.json": described("This description", "application/json"),
  "/v1/docs": described("A page to browse this description", "text/html")
}
