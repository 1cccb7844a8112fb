import { HttpApi, type HttpApiGroup, OpenApi } from "@effect/platform"
import { Context, Option, Predicate, Record } from "effect"
import { Api } from "../Api.js"
import { type OperationRule, ruleOf } from "../OperationRules.js"
import { codeSamples } from "./CodeSamples.js"
import { completeOperation, platformSchemas, sharedHeaders } from "./CompleteOperation.js"
import { describeFields } from "./DescribeFields.js"
import { type Example, type Examples, operationExamples } from "./OperationExamples.js"
import { publicRouteExamples } from "./PublicRouteExamples.js"
import { PublicRoutes } from "./PublicRoutes.js"
import { securitySchemes } from "./SecuritySchemes.js"
import { shareParts } from "./SharedParts.js"
import { describeWebhooks } from "./Webhooks.js"

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

const withoutEmpty = (document: object) =>
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
