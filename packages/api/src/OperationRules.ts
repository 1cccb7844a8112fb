import { HttpApi } from "@effect/platform"
import { Context, Option } from "effect"
import { BodyLimit, Permission, smallBody } from "./Annotations.js"
import { Api } from "./Api.js"

/** What an operation asks of a key, null where its endpoint forgot to say, and how large its body may be. */
export interface OperationRule {
  readonly permission: typeof Permission.Service | null
  readonly bodyLimit: number
}

/** The rules of every operation of the declaration, by method and path. */
export const operationRules: ReadonlyMap<string, OperationRule> = (() => {
  const rules = new Map<string, OperationRule>()
  HttpApi.reflect(Api, {
    onGroup: () => undefined,
    onEndpoint: ({ endpoint, mergedAnnotations }) => {
      rules.set(`${endpoint.method} ${endpoint.path}`, {
        permission: Option.getOrNull(Context.getOption(mergedAnnotations, Permission)),
        bodyLimit: Option.getOrElse(Context.getOption(mergedAnnotations, BodyLimit), () => smallBody)
      })
    }
  })
  return rules
})()

/** A route as the router knows it. */
interface Route {
  readonly method: string
  readonly path: string
}

const ruleOf = ({ method, path }: Route) => operationRules.get(`${method} ${path}`)

/** What the operation of a route asks of a key; without one nobody may. */
export const permissionOf = (route: Route) => ruleOf(route)?.permission ?? null

/** How many bytes the body of a route's operation may have. */
export const bodyLimitOf = (route: Route) => ruleOf(route)?.bodyLimit ?? smallBody
