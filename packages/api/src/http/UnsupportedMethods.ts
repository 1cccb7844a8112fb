import {
  HttpApi,
  HttpApiBuilder,
  type HttpMethod,
  HttpRouter,
  HttpServerError,
  HttpServerRequest
} from "@effect/platform"
import { Effect } from "effect"
import { Api } from "../Api.js"

/** A method and a path of the router. Parameters of a path begin with a colon. */
interface Operation {
  readonly method: HttpMethod.HttpMethod
  readonly path: HttpRouter.PathInput
}

/** Whether every path that matches `special` also matches `general`. Both are segments of a path. */
const covers = (general: ReadonlyArray<string>, special: ReadonlyArray<string>): boolean =>
  general.length === special.length && general.every((name, at) => name.startsWith(":") || name === special[at])

/** A path without the names of its parameters, which the router ignores. */
const shapeOf = (path: string) => path.replace(/:\w+/g, ":")

/** Prefixes of paths that are no paths themselves: `/things/all` if there is only `/things/all/stop`. */
const prefixesOf = (paths: ReadonlyArray<HttpRouter.PathInput>): ReadonlyArray<HttpRouter.PathInput> => {
  const known = new Set(paths.map(shapeOf))
  return paths.flatMap((path) => {
    const names = path.split("/").slice(1)
    return names.flatMap((name, at) => {
      const prefix: HttpRouter.PathInput = `/${names.slice(0, at + 1).join("/")}`
      return name.startsWith(":") || known.has(shapeOf(prefix)) ? [] : [prefix]
    })
  })
}

/**
 * Routes for methods that a path does not have, and that the router would match with a parameter of another path:
 * `GET /things/send` would match `GET /things/:id` if `/things/send` has only `POST`.
 */
export const unsupportedMethods = (operations: ReadonlyArray<Operation>): ReadonlyArray<Operation> => {
  const paths = operations.map(({ path }) => path)
  const known = operations.map(({ method, path }) => ({ method, shape: shapeOf(path), segments: path.split("/") }))
  return [...new Set([...paths, ...prefixesOf(paths)])].flatMap((path) => {
    const shape = shapeOf(path)
    const segments = path.split("/")
    const supported = new Set(known.filter((one) => one.shape === shape).map(({ method }) => method))
    const matched = new Set(known.filter((one) => covers(one.segments, segments)).map(({ method }) => method))
    return [...matched].filter((method) => !supported.has(method)).map((method) => ({ method, path }))
  })
}

const declared = (() => {
  const operations: Array<Operation> = []
  HttpApi.reflect(Api, {
    onGroup: () => undefined,
    onEndpoint: ({ endpoint: { method, path } }) => operations.push({ method, path })
  })
  return operations
})()

const unknown = Effect.flatMap(
  HttpServerRequest.HttpServerRequest,
  (request) => new HttpServerError.RouteNotFound({ request })
)

/** Responds with 404 to an unsupported method of a known path, without authentication. */
export const UnsupportedMethods = HttpApiBuilder.Router.use((router) =>
  Effect.forEach(
    unsupportedMethods(declared),
    ({ method, path }) => router.addRoute(HttpRouter.makeRoute(method, path, unknown)),
    { discard: true }
  )
)
