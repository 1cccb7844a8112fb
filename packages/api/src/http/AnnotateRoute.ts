import { HttpRouter } from "@effect/platform"
import { Effect, FiberRef, HashMap } from "effect"

/**
 * Adds the matched route, such as `/v1/messages/:id`, to the log lines of its request. The path of the request is not
 * logged: it can contain the token of a signed link.
 */
export const annotateRoute = (router: HttpRouter.HttpRouter<unknown, HttpRouter.HttpRouter.DefaultServices>) =>
  HttpRouter.use(router, (handler) =>
    Effect.gen(function* () {
      const { route } = yield* HttpRouter.RouteContext
      // Not restored: each request has its own fiber, and its last line is logged outside the router.
      yield* FiberRef.update(FiberRef.currentLogAnnotations, HashMap.set<string, unknown>("route", route.path))
      return yield* handler
    })
  )
