import type { OpenApi } from "@effect/platform"
import type { Credential } from "../Annotations.js"

/**
 * The security schemes of the document. `Authorization` declares only the API key header, `SessionAuthorization` the
 * cookie.
 */
export const securitySchemes = ({ apiKey, ...others }: OpenApi.OpenAPIComponents["securitySchemes"]) => ({
  apiKey,
  bearer: {
    type: "http",
    scheme: "bearer",
    description:
      "The same API key in `Authorization: Bearer KEY`. If the request also has `X-API-Key`, both must be equal; otherwise: 401. An extension of the specification.",
    "x-switchboard-extension": true
  },
  ...others
})

/** The alternative security requirements of an operation. */
export const securityOf = (credentials: ReadonlyArray<Credential>) =>
  credentials
    .flatMap((name) => (name === "apiKey" ? [name, "bearer"] : [name]))
    .map((name): OpenApi.OpenAPISecurityRequirement => ({ [name]: [] }))
