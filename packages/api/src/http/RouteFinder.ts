import { HttpRouter, type HttpServerRequest } from "@effect/platform"
import { make } from "find-my-way-ts"

type Route<E, R> = HttpRouter.Route<E, R>

const typeId: HttpRouter.RouteContextTypeId = HttpRouter.RouteContextTypeId

/** The route of a request, with the values of its parameters. */
export interface FoundRoute<E, R> {
  readonly route: Route<E, R>
  readonly routeContext: HttpRouter.RouteContext
  readonly searchParams: Readonly<Record<string, string | Array<string>>>
}

/**
 * Finds the route of a request by method and path. HEAD is served as GET if it has no route. Paths are case-sensitive
 * (RFC 3986 section 6.2.2.1).
 */
export const routeFinder = <E, R>(routes: Iterable<Route<E, R>>) => {
  const router = make<Route<E, R>>({ caseSensitive: true })
  for (const route of routes) {
    if (route.method === "*") router.all(route.path, route)
    else router.on(route.method, route.path, route)
  }
  return ({ method, url }: HttpServerRequest.HttpServerRequest): FoundRoute<E, R> | undefined => {
    const found = router.find(method, url) ?? (method === "HEAD" ? router.find("GET", url) : undefined)
    if (found === undefined) return undefined
    const { handler: route, params, searchParams } = found
    return { route, routeContext: { [HttpRouter.RouteContextTypeId]: typeId, route, params }, searchParams }
  }
}
