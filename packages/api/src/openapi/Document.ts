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
import { shareResponses } from "./SharedResponses.js"
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

/** Removes the `$id` that the platform repeats in every schema of unknown content: an id is unique (JSON Schema 8.2.1). */
const withoutIds = (document: object) =>
  JSON.parse(JSON.stringify(document, (key, value: unknown) => (key === "$id" ? undefined : value)))

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
 * a trailing slash.
 */
export const makeDocument = (publicUrl: string): OpenApi.OpenAPISpec => {
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
  const shared = shareResponses({ ...operations.paths, ...routes.paths })
  return withoutIds({
    ...document,
    info: { ...info, license: { name: "MIT", identifier: "MIT" } },
    servers: [{ url: publicUrl }],
    paths: shared.paths,
    components: {
      securitySchemes: securitySchemes(components.securitySchemes),
      headers: sharedHeaders,
      responses: shared.responses,
      schemas: { ...operations.schemas, ...routes.schemas, ...events.schemas, ...operations.schemas }
    },
    webhooks: events.webhooks
  })
}
