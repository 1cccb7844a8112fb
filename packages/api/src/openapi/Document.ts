import { HttpApi, type HttpApiGroup, OpenApi } from "@effect/platform"
import { Context, Option, Record } from "effect"
import { type Example, Examples } from "../Annotations.js"
import { Api } from "../Api.js"
import { type OperationRule, ruleOf } from "../OperationRules.js"
import { completeOperation, platformSchemas } from "./CompleteOperation.js"
import { PublicRoutes } from "./PublicRoutes.js"
import { describeWebhooks } from "./Webhooks.js"

/** The rules and the examples of every operation, by its id. */
const annotationsOf = <Id extends string, Groups extends HttpApiGroup.HttpApiGroup.Any, E, R>(
  api: HttpApi.HttpApi<Id, Groups, E, R>
) => {
  const operations = new Map<string, { readonly rule: OperationRule | undefined; readonly example: Example }>()
  HttpApi.reflect(api, {
    onGroup: () => undefined,
    onEndpoint: ({ endpoint, group, mergedAnnotations }) => {
      const id = `${group.identifier}.${endpoint.name}`
      const examples = Context.getOption(mergedAnnotations, Examples)
      operations.set(
        Option.getOrElse(Context.getOption(endpoint.annotations, OpenApi.Identifier), () => id),
        {
          rule: ruleOf(endpoint),
          example: Option.match(examples, { onNone: () => ({}), onSome: (all) => all[id] ?? {} })
        }
      )
    }
  })
  return operations
}

type Derived = Pick<OpenApi.OpenAPISpec, "components" | "paths">

/** The paths and schemas that the platform derives from an API, with what it leaves out. */
const complete = <Id extends string, Groups extends HttpApiGroup.HttpApiGroup.Any, E, R>(
  api: HttpApi.HttpApi<Id, Groups, E, R>,
  { components, paths }: Derived
) => {
  const annotations = annotationsOf(api)
  return {
    paths: Record.map(paths, (methods) =>
      Record.map<string, OpenApi.OpenAPISpecOperation, object>(methods, (operation, method) =>
        completeOperation(
          { operation, method, rule: undefined, example: {}, ...annotations.get(operation.operationId) },
          components.schemas
        )
      )
    ),
    schemas: Record.filter(components.schemas, (_, name) => !platformSchemas.includes(name))
  }
}

/**
 * The platform gives all schemas of unknown content one `$id`; an id must name a single schema (JSON Schema 8.2.1).
 */
const withoutIds = (document: object) =>
  JSON.parse(JSON.stringify(document, (key, value: unknown) => (key === "$id" ? undefined : value)))

const DescribedApi = Api.annotate(OpenApi.Transform, ({ components, paths, ...document }) => {
  const operations = complete(Api, { components, paths })
  const routes = complete(PublicRoutes, OpenApi.fromApi(PublicRoutes))
  const events = describeWebhooks()
  return withoutIds({
    ...document,
    paths: { ...operations.paths, ...Record.mapKeys(routes.paths, (path) => path.replace("*", "{token}")) },
    components: {
      securitySchemes: components.securitySchemes,
      schemas: { ...operations.schemas, ...routes.schemas, ...events.schemas, ...operations.schemas }
    },
    webhooks: events.webhooks
  })
})

/** The description of the interface (OpenAPI 3.1). It is made once, by the first call. */
export const makeDocument = (): OpenApi.OpenAPISpec => OpenApi.fromApi(DescribedApi)
