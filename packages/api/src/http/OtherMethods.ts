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

/** A method at a path of the router, whose parameters begin with a colon. */
interface Operation {
  readonly method: HttpMethod.HttpMethod
  readonly path: HttpRouter.PathInput
}

/** Whether each path of one form, as its segments, is also of another, which has parameters in more places. */
const covers = (general: ReadonlyArray<string>, special: ReadonlyArray<string>): boolean =>
  general.length === special.length && general.every((name, at) => name.startsWith(":") || name === special[at])

/** A path whatever its parameters are called: to the router that is no difference. */
const shapeOf = (path: string) => path.replace(/:\w+/g, ":")

/** The names that paths go on from, and that are no paths themselves: `/things/all` where there is `/things/all/stop`. */
const foldersOf = (paths: ReadonlyArray<HttpRouter.PathInput>): ReadonlyArray<HttpRouter.PathInput> => {
  const known = new Set(paths.map(shapeOf))
  return paths.flatMap((path) => {
    const names = path.split("/").slice(1)
    return names.flatMap((name, at) => {
      const folder: HttpRouter.PathInput = `/${names.slice(0, at + 1).join("/")}`
      return name.startsWith(":") || known.has(shapeOf(folder)) ? [] : [folder]
    })
  })
}

/**
 * The methods that paths lack, and that the router would take for those of a path with a parameter: `GET /things/send`
 * for `GET /things/:id`, where what is at `/things/send` has `POST` alone.
 */
export const otherMethods = (operations: ReadonlyArray<Operation>): ReadonlyArray<Operation> => {
  const paths = operations.map(({ path }) => path)
  const known = operations.map(({ method, path }) => ({ method, shape: shapeOf(path), segments: path.split("/") }))
  return [...new Set([...paths, ...foldersOf(paths)])].flatMap((path) => {
    const shape = shapeOf(path)
    const segments = path.split("/")
    const own = new Set(known.filter((one) => one.shape === shape).map(({ method }) => method))
    const taken = new Set(known.filter((one) => covers(one.segments, segments)).map(({ method }) => method))
    return [...taken].filter((method) => !own.has(method)).map((method) => ({ method, path }))
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

/** A known path with another method is no route, whatever other path it looks like; and nobody is asked for a key. */
export const OtherMethods = HttpApiBuilder.Router.use((router) =>
  Effect.forEach(
    otherMethods(declared),
    ({ method, path }) => router.addRoute(HttpRouter.makeRoute(method, path, unknown)),
    { discard: true }
  )
)
