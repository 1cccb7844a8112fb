import { HttpApi, type HttpApiGroup, OpenApi } from "@effect/platform"
import { Context, Option, Predicate, Record } from "effect"
import { Api } from "../Api.js"
import { removed } from "../CommonShapes.js"
import { type OperationRule, ruleOf } from "../OperationRules.js"
import { sessionCookie } from "../sessions/SessionsApi.js"
import { completeOperation, type DocumentedOperation, platformSchemas, sharedHeaders } from "./CompleteOperation.js"
import { describeFields } from "./DescribeFields.js"
import { type Example, type Examples, operationExamples } from "./OperationExamples.js"
import { PublicRoutes } from "./PublicRoutes.js"
import { securitySchemes, shareParts } from "./SharedParts.js"
import { describeWebhooks } from "./Webhooks.js"

/** The shell variable for a value that the reader fills in: `$WEBHOOK_ID` for `webhookId`. */
const variable = (name: string) => `$${name.replace(/[A-Z]/g, "_$&").toUpperCase()}`

const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`

/** The URL with the required parameters. */
const sampleUrl = (url: string, { parameters }: DocumentedOperation["operation"]) => {
  const filled = url.replace(/\{(\w+)\}/g, (_, name: string) => variable(name))
  const required = parameters.filter((parameter) => parameter.in === "query" && parameter.required)
  const query = required.map(({ name }) => `${name}=${variable(name)}`).join("&")
  return query === "" ? filled : `${filled}?${query}`
}

/** The options for a request body: the example as JSON, or a file. */
const bodyOptions = ({ example, operation }: DocumentedOperation) => {
  const [type] = Object.keys(operation.requestBody?.content ?? {})
  switch (type) {
    case undefined:
      return []
    case "application/json":
      return example.request === undefined
        ? []
        : [`-H 'Content-Type: ${type}'`, `-d ${quoted(JSON.stringify(example.request, null, 2))}`]
    case "*/*":
      return ["--data-binary @file"]
    default:
      return [`-H 'Content-Type: ${type}'`, "--data-binary @file"]
  }
}

/** The options for the API key, or for the cookie and the CSRF token of an operation that takes only a session. */
const credentialOptions = ({ method, rule }: DocumentedOperation) => {
  if (rule?.credentials.includes("apiKey") === true) return ['-H "X-API-Key: $KEY"']
  if (rule?.credentials.includes("session") !== true) return []
  return [`-b "${sessionCookie}=$SESSION"`, ...(method === "get" ? [] : ['-H "X-CSRF-Token: $CSRF_TOKEN"'])]
}

const isStream = ({ operation }: DocumentedOperation) =>
  Object.values(operation.responses).some(({ content }) => Predicate.hasProperty(content, "text/event-stream"))

/**
 * The shortest command that sends a request of the operation, for the extension `x-codeSamples`. Samples that a tool
 * derives from the document have every optional parameter. `url` has its path parameters in braces.
 */
const codeSamples = (url: string, documented: DocumentedOperation) => {
  const { method, operation } = documented
  const body = bodyOptions(documented)
  const isDefault = method === "get" || (method === "post" && body.length > 0)
  const source = [
    ["curl", ...(isDefault ? [] : ["-X", method.toUpperCase()]), `"${sampleUrl(url, operation)}"`].join(" "),
    ...credentialOptions(documented),
    ...(isStream(documented) ? ["-N"] : []),
    ...body
  ].join(" \\\n  ")
  return [{ lang: "curl", label: "curl", source }]
}

const page = "<!doctype html>…"
const unknownLink = (resource: string) => ({ _tag: "ResourceNotFoundError", resource, id: "TOKEN" })

/** Examples of the routes without a key, by operation id. */
const publicRouteExamples: Examples = {
  "unsubscribe.look": { response: page, errors: { ResourceNotFoundError: unknownLink("unsubscribe link") } },
  "unsubscribe.confirm": { response: page, errors: { ResourceNotFoundError: unknownLink("unsubscribe link") } },
  "clicks.follow": { errors: { ResourceNotFoundError: unknownLink("link") } },
  "objects.download": { errors: { ResourceNotFoundError: unknownLink("download") } },
  "uploads.put": {
    response: removed,
    errors: {
      BadRequestError: { _tag: "BadRequestError", message: "The body ended early" },
      ResourceNotFoundError: unknownLink("upload"),
      ConflictError: {
        _tag: "ConflictError",
        message: "The document is uploaded, or being uploaded",
        resource: "document"
      },
      ValidationError: {
        _tag: "ValidationError",
        message: "The upload does not match its link",
        fields: { contentLength: ["must be 48213 octets, as in the upload request"] }
      }
    }
  },
  "health.alive": { response: { status: "alive" } },
  "health.ready": { response: { status: "ready" } }
}

/** Rule and examples of every operation, by operation id. */
const annotationsOf = <Id extends string, Groups extends HttpApiGroup.HttpApiGroup.Any, E, R>(
  api: HttpApi.HttpApi<Id, Groups, E, R>,
  examples: Examples
) => {
  const operations = new Map<string, { readonly rule: OperationRule | undefined; readonly example: Example }>()
  HttpApi.reflect(api, {
    onGroup: () => undefined,
    onEndpoint: ({ endpoint, group }) => {
      const id = `${group.identifier}.${endpoint.name}`
      operations.set(
        Option.getOrElse(Context.getOption(endpoint.annotations, OpenApi.Identifier), () => id),
        { rule: ruleOf(endpoint), example: examples[id] ?? {} }
      )
    }
  })
  return operations
}

type CompletedOperation = ReturnType<typeof completeOperation>

type Derived = Pick<OpenApi.OpenAPISpec, "components" | "paths">

/** Completes the paths and schemas that the platform derives from an API. */
const complete = <Id extends string, Groups extends HttpApiGroup.HttpApiGroup.Any, E, R>(
  api: HttpApi.HttpApi<Id, Groups, E, R>,
  { components, paths }: Derived,
  examples: Examples,
  publicUrl: string
) => {
  const annotations = annotationsOf(api, examples)
  return {
    paths: Record.map(paths, (methods, path) =>
      Record.map<string, OpenApi.OpenAPISpecOperation, CompletedOperation>(methods, (operation, method) => {
        const documented = {
          operation,
          method,
          rule: undefined,
          example: {},
          ...annotations.get(operation.operationId)
        }
        return {
          ...completeOperation(documented, components.schemas),
          "x-codeSamples": codeSamples(publicUrl + path, documented)
        }
      })
    ),
    schemas: Record.map(
      Record.filter(components.schemas, (_, name) => !platformSchemas.includes(name)),
      (schema, name) => describeFields(name, schema)
    )
  }
}

/**
 * Whether the platform adds a member without a meaning: the same `$id` to every schema of unknown content (an id is unique,
 * JSON Schema 2020-12 section 8.2.1), the titles of its own schemas, and empty lists of fields.
 */
const isEmpty = (key: string, value: unknown) =>
  key === "$id" ||
  (key === "title" && (value === "unknown" || value === "int")) ||
  (key === "required" && Array.isArray(value) && value.length === 0) ||
  (key === "properties" && Predicate.isRecord(value) && Record.isEmptyRecord(value))

export const withoutEmpty = (document: object) =>
  JSON.parse(JSON.stringify(document, (key, value: unknown) => (isEmpty(key, value) ? undefined : value)))

/** Replaces the schemas of texts that are components by references: those of types that are derived from a named one. */
const withReferences = (document: object, schemas: Readonly<Record<string, unknown>>) => {
  const names = new Map<string, string>()
  for (const [name, schema] of Object.entries(schemas)) {
    if (!Predicate.hasProperty(schema, "pattern")) continue
    const { description: _, ...rest } = { description: undefined, ...schema }
    names.set(JSON.stringify(rest), name)
  }
  const components = new Set(Object.values(schemas))
  const refer = (value: unknown) => {
    if (!Predicate.hasProperty(value, "pattern") || components.has(value)) return value
    const { description, ...rest } = { description: undefined, ...value }
    const name = names.get(JSON.stringify(rest))
    return name === undefined ? value : { $ref: `#/components/schemas/${name}`, description }
  }
  return JSON.parse(JSON.stringify(document, (_, value: unknown) => refer(value)))
}

/** Moves the `$defs` of schemas to the components, to which their references are. */
const withDefinitions = (document: OpenApi.OpenAPISpec): OpenApi.OpenAPISpec => {
  const definitions: OpenApi.OpenAPIComponents["schemas"] = {}
  const without = (value: unknown): OpenApi.OpenAPISpec =>
    JSON.parse(
      JSON.stringify(value, (_, member: unknown) => {
        if (!Predicate.isRecord(member) || !("$defs" in member)) return member
        const { $defs, ...schema } = member
        Object.assign(definitions, without($defs))
        return schema
      })
    )
  const { components, ...rest } = without(document)
  return { ...rest, components: { ...components, schemas: { ...definitions, ...components.schemas } } }
}

/**
 * The OpenAPI 3.1 document of the HTTP interface. `publicUrl` is the base URL at which clients reach the service, without
 * a trailing slash. `release` is the version of the service.
 */
export const makeDocument = (publicUrl: string, release: string): OpenApi.OpenAPISpec => {
  const { components, info, paths, ...document } = withDefinitions(OpenApi.fromApi(Api))
  const operations = complete(Api, { components, paths }, operationExamples, publicUrl)
  const { components: routeComponents, paths: routePaths } = OpenApi.fromApi(PublicRoutes)
  const routes = complete(
    PublicRoutes,
    { components: routeComponents, paths: Record.mapKeys(routePaths, (path) => path.replace("*", "{token}")) },
    publicRouteExamples,
    publicUrl
  )
  const events = describeWebhooks()
  const schemas = { ...operations.schemas, ...routes.schemas, ...events.schemas, ...operations.schemas }
  const shared = shareParts({ ...operations.paths, ...routes.paths })
  const made = {
    ...document,
    info: { ...info, license: { name: "MIT", identifier: "MIT" }, "x-switchboard-release": release },
    servers: [{ url: publicUrl }],
    paths: shared.paths,
    components: {
      securitySchemes: securitySchemes(components.securitySchemes),
      headers: sharedHeaders,
      parameters: { ...shared.parameters, ...events.parameters },
      responses: { ...shared.responses, ...events.responses },
      schemas
    },
    webhooks: events.webhooks
  }
  return withoutEmpty(withReferences(made, schemas))
}
