import type { OpenApi } from "@effect/platform"
import { Record } from "effect"
import type { Credential } from "../Annotations.js"
import { messageExample } from "./examples/MessageExamples.js"

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

/** An example of every error, by `_tag`. */
export const errorExamples: Readonly<Record<string, unknown>> = {
  BadRequestError: { _tag: "BadRequestError", message: "The parameter limit must be a whole number from 1 to 100" },
  ValidationError: {
    _tag: "ValidationError",
    message: "The request body is invalid",
    fields: { "email.subject": ["is required without a template"] }
  },
  ResourceNotFoundError: { _tag: "ResourceNotFoundError", resource: "message", id: messageExample.id },
  UnauthorizedError: { _tag: "UnauthorizedError", message: "The API key is missing or invalid" },
  SecondFactorRequiredError: {
    _tag: "SecondFactorRequiredError",
    message: "The log-in needs a code of the authenticator app, or a recovery code"
  },
  PaymentRequiredError: { _tag: "PaymentRequiredError", resource: "messages", currentUsage: 1000, limit: 1000 },
  ForbiddenError: { _tag: "ForbiddenError", message: "The API key lacks the permission messages.send" },
  ConflictError: {
    _tag: "ConflictError",
    message: "The idempotency key was used before with a different request",
    resource: "message"
  },
  RateLimitedError: { _tag: "RateLimitedError", retryAfterSeconds: 1 },
  PayloadTooLargeError: {
    _tag: "PayloadTooLargeError",
    message: "The body is larger than 36700160 bytes",
    limitBytes: 36_700_160
  },
  ExternalServiceError: {
    _tag: "ExternalServiceError",
    provider: "object store",
    message: "The object store failed; try again"
  },
  InternalError: { _tag: "InternalError", message: "An unexpected error. It has been logged with the request's id." },
  ServiceUnavailableError: {
    _tag: "ServiceUnavailableError",
    message: "The database can't be reached",
    retryAfterSeconds: 1
  }
}

/** The parts of an operation that can be components of the document. */
interface Operation {
  readonly tags: ReadonlyArray<string>
  readonly parameters: ReadonlyArray<{ readonly name: string }>
  readonly responses: Readonly<Record<string, unknown>>
}

type Paths<A extends Operation> = Readonly<Record<string, Readonly<Record<string, A>>>>

/** A part with the names that its component can have, the best one first. */
interface Named {
  readonly value: unknown
  readonly names: ReadonlyArray<string>
}

/** Makes components of equal parts. The most frequent one of a name gets it. */
const sharing = (kind: "parameters" | "responses", parts: ReadonlyArray<Named>) => {
  const counts = new Map<string, Named & { readonly count: number }>()
  for (const part of parts) {
    const text = JSON.stringify(part.value)
    const { count, ...known } = counts.get(text) ?? { ...part, count: 0 }
    counts.set(text, { ...known, count: count + 1 })
  }
  const shared = new Map<string, unknown>()
  const references = new Map<string, { readonly $ref: string }>()
  for (const [text, { count, names, value }] of [...counts].sort(([, one], [, other]) => other.count - one.count)) {
    const name = names.find((possible) => !shared.has(possible))
    if (count < 2 || name === undefined) continue
    shared.set(name, value)
    references.set(text, { $ref: `#/components/${kind}/${name}` })
  }
  return {
    components: Object.fromEntries([...shared].sort(([one], [other]) => one.localeCompare(other))),
    refer: (value: unknown) => references.get(JSON.stringify(value)) ?? value
  }
}

const schemaReference = /"\$ref":"#\/components\/schemas\/(\w+?)(?:Error)?"/

/** The name of a response: that of its schema, in which an error has no `Error`. */
const responseName = (response: unknown) => schemaReference.exec(JSON.stringify(response))?.[1]

/** The names of a component: its own, and one for each tag of its operation. */
const namesOf = (name: string | undefined, tags: ReadonlyArray<string>) =>
  name === undefined ? [] : [name, ...tags.map((tag) => `${tag.replace(/\W/g, "")}.${name}`)]

/**
 * The parameters and responses that several operations have, and the paths with references to them. Without them the
 * document is twice as large.
 */
export const shareParts = <A extends Operation>(paths: Paths<A>) => {
  const operations = Object.values(paths).flatMap((methods) => Object.values(methods))
  const parameters = sharing(
    "parameters",
    operations.flatMap(({ parameters, tags }) =>
      parameters.map((value) => ({ value, names: namesOf(value.name, tags) }))
    )
  )
  const responses = sharing(
    "responses",
    operations.flatMap(({ responses, tags }) =>
      Object.values(responses).map((value) => ({ value, names: namesOf(responseName(value), tags) }))
    )
  )
  return {
    parameters: parameters.components,
    responses: responses.components,
    paths: Record.map(paths, (methods) =>
      Record.map(methods, (operation) => ({
        ...operation,
        parameters: operation.parameters.map(parameters.refer),
        responses: Record.map(operation.responses, responses.refer)
      }))
    )
  }
}
