import { Context, Option, type Schema, SchemaAST } from "effect"
import {
  Audit,
  type AuditRule,
  BodyLimit,
  type Credential,
  Credentials,
  Extension,
  Location,
  Permission,
  RequestCost,
  smallBody
} from "./Annotations.js"
import { Api } from "./Api.js"
import { ResendApi } from "./resend/ResendApi.js"

/** The rule of an operation, from the annotations of its endpoint. */
export interface OperationRule {
  /** Accepted credentials. Empty: the operation is public. */
  readonly credentials: ReadonlyArray<Credential>
  /** The required permission. Null: none. */
  readonly permission: typeof Permission.Service | null
  /** The number of requests that it counts as in the rate limit. */
  readonly requestCost: number
  /** The limit of its body, in bytes. */
  readonly bodyLimit: number
  /** The names of its query parameters. */
  readonly parameters: ReadonlySet<string>
  readonly isExtension: boolean
  /** The path of the created resource. Null: none. */
  readonly location: string | null
  /** How the audit log records it. Null: it is read-only or public. */
  readonly audit: AuditRule | null
}

const namesOf = (schema: Option.Option<Schema.Schema.All>) =>
  Option.match(schema, {
    onNone: () => [],
    onSome: ({ ast }) => SchemaAST.getPropertySignatures(SchemaAST.encodedAST(ast)).map(({ name }) => String(name))
  })

const defaultCredentials: ReadonlyArray<Credential> = ["apiKey", "session"]

const defaultAudit: AuditRule = { values: "resource" }

/** The rule of every operation of both APIs, by method and path. */
export const operationRules: ReadonlyMap<string, OperationRule> = new Map(
  [...Object.values(Api.groups), ...Object.values(ResendApi.groups)].flatMap((group) =>
    Object.values(group.endpoints).map(({ annotations, method, path, urlParamsSchema }) => {
      const merged = Context.merge(group.annotations, annotations)
      const credentials = Option.getOrElse(Context.getOption(merged, Credentials), () => defaultCredentials)
      const rule: OperationRule = {
        credentials,
        permission: Option.getOrNull(Context.getOption(merged, Permission)),
        requestCost: Option.getOrElse(Context.getOption(merged, RequestCost), () => 1),
        bodyLimit: Option.getOrElse(Context.getOption(merged, BodyLimit), () => smallBody),
        parameters: new Set(namesOf(urlParamsSchema)),
        isExtension: Option.isSome(Context.getOption(merged, Extension)),
        location: Option.getOrNull(Context.getOption(merged, Location)),
        audit:
          method === "GET" || credentials.length === 0
            ? null
            : Option.getOrElse(Context.getOption(merged, Audit), () => defaultAudit)
      }
      return [`${method} ${path}`, rule]
    })
  )
)

/** A route of the router. */
interface Route {
  readonly method: string
  readonly path: string
}

/** The rule of the operation of a route. Undefined: the route is no operation. */
export const ruleOf = ({ method, path }: Route) => operationRules.get(`${method} ${path}`)

/** The permission that the operation of a route requires. Null: every key is rejected. */
export const permissionOf = (route: Route) => ruleOf(route)?.permission ?? null

/** The number of requests that the operation of a route counts as in the rate limit. */
export const requestCostOf = (route: Route) => ruleOf(route)?.requestCost ?? 1

/** The limit of the body of the operation of a route, in bytes. */
export const bodyLimitOf = (route: Route) => ruleOf(route)?.bodyLimit ?? smallBody

/** Whether every path that matches `special` also matches `general`. Both are segments of a path. */
export const covers = (general: ReadonlyArray<string>, special: ReadonlyArray<string>): boolean =>
  general.length === special.length && general.every((name, at) => name.startsWith(":") || name === special[at])

/** Whether the operation of a route is read-only. */
export const isRead = ({ method }: Route) => method === "GET"
