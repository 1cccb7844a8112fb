import { Context, Option, type Schema, SchemaAST } from "effect"
import {
  BodyLimit,
  type Credential,
  Credentials,
  Extension,
  Permission,
  RequestCost,
  smallBody
} from "./Annotations.js"
import { Api } from "./Api.js"
import { queryOf } from "./http/RequestTarget.js"

/**
 * Who may ask for an operation, with what permission (null where its endpoint says none), what it costs of the request
 * rate, how large its body may be, what may stand in its query, and whether
 * it is an extension.
 */
export interface OperationRule {
  readonly credentials: ReadonlyArray<Credential>
  readonly permission: typeof Permission.Service | null
  readonly requestCost: number
  readonly bodyLimit: number
  readonly parameters: ReadonlySet<string>
  readonly isExtension: boolean
}

const namesOf = (schema: Option.Option<Schema.Schema.All>) =>
  Option.match(schema, {
    onNone: () => [],
    onSome: ({ ast }) => SchemaAST.getPropertySignatures(SchemaAST.encodedAST(ast)).map(({ name }) => String(name))
  })

const keyAlone: ReadonlyArray<Credential> = ["apiKey"]

/** The rules of every operation of the declaration, by method and path. */
export const operationRules: ReadonlyMap<string, OperationRule> = new Map(
  Object.values(Api.groups).flatMap((group) =>
    Object.values(group.endpoints).map(({ annotations, method, path, urlParamsSchema }) => {
      const merged = Context.merge(group.annotations, annotations)
      const rule: OperationRule = {
        credentials: Option.getOrElse(Context.getOption(merged, Credentials), () => keyAlone),
        permission: Option.getOrNull(Context.getOption(merged, Permission)),
        requestCost: Option.getOrElse(Context.getOption(merged, RequestCost), () => 1),
        bodyLimit: Option.getOrElse(Context.getOption(merged, BodyLimit), () => smallBody),
        parameters: new Set(namesOf(urlParamsSchema)),
        isExtension: Option.isSome(Context.getOption(merged, Extension))
      }
      return [`${method} ${path}`, rule]
    })
  )
)

/** A route as the router knows it. */
interface Route {
  readonly method: string
  readonly path: string
}

/** The rule of a route's operation, if it is one. */
export const ruleOf = ({ method, path }: Route) => operationRules.get(`${method} ${path}`)

/** What the operation of a route asks of a key; without one nobody may. */
export const permissionOf = (route: Route) => ruleOf(route)?.permission ?? null

/** Whether the operation of a route takes a session in place of a key. */
export const takesSession = (route: Route) => ruleOf(route)?.credentials.includes("session") ?? false

/** What the operation of a route costs of the request rate. */
export const requestCostOf = (route: Route) => ruleOf(route)?.requestCost ?? 1

/** How many bytes the body of a route's operation may have. */
export const bodyLimitOf = (route: Route) => ruleOf(route)?.bodyLimit ?? smallBody

/** Whether the operation of a route reads and changes nothing. */
export const isRead = ({ method }: Route) => method === "GET"

/**
 * The first parameter of a request's query that its operation does not know: a typing error must not be swallowed.
 * Whatever changes something is told by its body, and keeps the query among what it knows of the request.
 */
export const unknownParameter = (route: Route, target: string): Option.Option<string> => {
  if (!isRead(route) || !target.includes("?")) return Option.none()
  const known = ruleOf(route)?.parameters
  return Option.fromNullable([...queryOf(target).keys()].find((name) => known?.has(name) !== true))
}
