import {
  HttpApiBuilder,
  type HttpApiEndpoint,
  type HttpApiMiddleware,
  HttpApiSchema,
  HttpRouter,
  HttpServerRequest,
  HttpServerResponse
} from "@effect/platform"
import { encodeCursor, type Page } from "@switchboard/domain/Page"
import { PublicUrl } from "@switchboard/services/PublicUrl"
import { Chunk, Context, Effect, Either, Option, Predicate, Redacted, Schema } from "effect"
import { EncodedAsIs, Location } from "../Annotations.js"
import { BodyBudget } from "./body/BodyBudget.js"
import { readBody } from "./body/RequestBody.js"
import { compressible } from "./Compression.js"
import { withContext } from "./HttpContext.js"
import { parameterReader, queryOf, type RequestParameters } from "./RequestParameters.js"

interface Options {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
}

/** A response of JSON text. Node.js writes text together with the headers, in one chunk. */
export const jsonTextResponse = (text: string, options: Options = {}): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.raw(text, {
    contentType: "application/json",
    contentLength: Buffer.byteLength(text),
    ...options
  })

/** A JSON response. */
const jsonResponse = (value: unknown, options?: Options): HttpServerResponse.HttpServerResponse =>
  jsonTextResponse(JSON.stringify(value), options)

/** Whether the result of a handler is a page of a list. */
const isPage = (result: unknown): result is Page<unknown> =>
  Predicate.hasProperty(result, "pagination") && Predicate.hasProperty(result, "next")

/** The body of a page: its items and its position. */
const pageBody = ({ items, pagination }: Page<unknown>) => ({ items, pagination })

/** The query of the next page: that of the request with `after` in place of `page`. */
const nextQuery = (target: string, after: string) => {
  const query = queryOf(target)
  query.delete("page")
  query.set("after", after)
  return query
}

/**
 * The headers of a page: `Link` with the next page (RFC 8288), absent on the last page, and `Total-Estimated` if the
 * total is an estimate. The link is a query alone, which also holds below the path of a proxy. A page is compressible.
 */
const pageHeaders = ({ isTotalEstimated, next }: Page<unknown>, target: string) => ({
  ...compressible,
  ...(next === null ? {} : { link: `<?${nextQuery(target, encodeCursor(next))}>; rel="next"` }),
  ...(isTotalEstimated ? { "total-estimated": "true" } : {})
})

/** The response to a page of items that are JSON text in their encoded form. */
export const encodedPage = (page: Page<{ readonly json: string }>, target: string) =>
  jsonTextResponse(
    `{"items":[${page.items.map(({ json }) => json).join(",")}],"pagination":${JSON.stringify(page.pagination)}}`,
    { headers: pageHeaders(page, target) }
  )

/** Authenticates a request, by the credential of its scheme. */
type Scheme = (credential: Redacted.Redacted<string>) => Effect.Effect<unknown, unknown, HttpRouter.HttpRouter.Provided>

/** The types of the declaration guarantee that a middleware has such a function for each scheme. */
const isScheme = (value: unknown): value is Scheme => Predicate.isFunction(value)

/** Middlewares read their credential from the request: the platform would read one header only. */
const unread = Redacted.make("")

/** Authenticates requests by a middleware of `services`, which declares one security scheme. */
const authenticateBy = (tag: HttpApiMiddleware.TagClassAny, services: Context.Context<never>) => {
  const schemes: unknown = services.unsafeMap.get(tag.key)
  const [scheme] = Predicate.isRecord(schemes) ? Object.values(schemes) : []
  if (!isScheme(scheme)) return Effect.dieMessage(`The middleware ${tag.key} has no security scheme`)
  return Effect.suspend(() => scheme(unread))
}

/**
 * The `Location` header of a created resource (RFC 9110 section 10.2.2): its path at the public URL, which may be below a
 * path of a proxy. `path` is the annotation `Location` of the operation, `body` its response.
 */
export const locationHeader = (publicUrl: string, path: string) => {
  // Texts and names of parameters in turns.
  const parts = `${new URL(publicUrl).pathname.replace(/\/$/, "")}${path}`.split(/:(\w+)/)
  return (body: unknown) => ({
    location: parts
      .map((part, at) => {
        if (at % 2 === 0) return part
        return Predicate.hasProperty(body, part) ? encodeURIComponent(String(body[part])) : ""
      })
      .join("")
  })
}

type Endpoint = HttpApiEndpoint.HttpApiEndpoint.AnyWithProps
interface FullRequest extends Partial<RequestParameters> {
  readonly request: HttpServerRequest.HttpServerRequest
  readonly payload?: unknown
}
type Item<E, R> = HttpApiBuilder.Handlers.Item<E, R>

/** The response to the success value of an endpoint, by its schema and status. A value that does not encode is a defect. */
const successResponse = (endpoint: Endpoint, publicUrl: string) => {
  const { ast } = endpoint.successSchema
  const options = { status: HttpApiSchema.getStatusSuccess(endpoint.successSchema) }
  const asIs = Option.isSome(Context.getOption(endpoint.annotations, EncodedAsIs))
  const location = Option.getOrNull(
    Option.map(Context.getOption(endpoint.annotations, Location), (path) => locationHeader(publicUrl, path))
  )
  const encode = asIs ? (value: unknown) => value : Schema.encodeUnknownSync(Schema.make<unknown>(ast))
  return (value: unknown, target: string) => {
    if (isPage(value)) {
      return jsonResponse(encode(pageBody(value)), { headers: pageHeaders(value, target), ...options })
    }
    const body = encode(value)
    return jsonResponse(body, location === null ? options : { headers: location(body), ...options })
  }
}

type Provided = HttpRouter.HttpRouter.Provided

/** What handlers may require beside the services of the request. They get their other services when they are made. */
type Required = BodyBudget | HttpApiMiddleware.HttpApiMiddleware.AnyId

/**
 * The route of an operation: authenticates the request, decodes its parameters, then its body, and encodes the result of
 * its handler. Handlers of `handleRaw` read their body themselves.
 */
const routeOf = <E>(
  { handler, uninterruptible, withFullRequest }: Item<E, Required>,
  endpoint: Endpoint,
  middleware: HttpApiMiddleware.TagClassAny | undefined,
  services: Context.Context<never>,
  budget: BodyBudget,
  publicUrl: string
) => {
  const authenticated = middleware === undefined ? null : authenticateBy(middleware, services)
  const parametersOf = parameterReader(endpoint)
  const encode = successResponse(endpoint, publicUrl)
  const payload = withFullRequest
    ? Option.none()
    : endpoint.payloadSchema.pipe(
        Option.filter(({ ast }) => HttpApiSchema.getEncoding(ast).kind === "Json"),
        Option.map(({ ast }) => readBody(Schema.make<unknown>(ast)))
      )

  const handle = (request: HttpServerRequest.HttpServerRequest, { params }: HttpRouter.RouteContext) => {
    const parameters = parametersOf(request, params)
    if (Either.isLeft(parameters)) return Effect.fail(parameters.left)
    const full: FullRequest = { request, ...parameters.right }
    const handled = Option.match(payload, {
      onNone: () => handler(full),
      onSome: (read) => Effect.flatMap(read, (decoded) => handler({ payload: decoded, ...full }))
    })
    return Effect.map(handled, (result) =>
      HttpServerResponse.isServerResponse(result) ? result : encode(result, request.originalUrl)
    )
  }

  const handleWith = (ofRequest: Context.Context<Provided>) => {
    const request = Context.get(ofRequest, HttpServerRequest.HttpServerRequest)
    const routeContext = Context.get(ofRequest, HttpRouter.RouteContext)
    const all = Context.add(ofRequest, BodyBudget, budget)
    if (authenticated === null) return withContext(handle(request, routeContext), all)
    const handled = Effect.flatMap(authenticated, (service) => {
      // Only this fiber has these services: adding one to a copy of them would cost more.
      if (middleware?.provides !== undefined) all.unsafeMap.set(middleware.provides.key, service)
      return handle(request, routeContext)
    })
    return withContext(handled, all)
  }

  return HttpRouter.makeRoute(endpoint.method, endpoint.path, Effect.contextWithEffect(handleWith), { uninterruptible })
}

/**
 * Registers the operations of a group. Parameters are decoded with `RequestParameters`, bodies with `RequestBody`. The
 * platform would report only the first error of a request, as 400, report a response that does not encode as 400 too, and
 * provide and restore all services three times for each request.
 */
export const withBodies = <E, Provides, R extends Required, Endpoints extends HttpApiEndpoint.HttpApiEndpoint.Any>(
  self: HttpApiBuilder.Handlers<E, Provides, R, Endpoints>
): Effect.Effect<
  HttpApiBuilder.Handlers<E, Provides, R | BodyBudget, Endpoints>,
  never,
  HttpApiBuilder.Router | PublicUrl | R | BodyBudget
> =>
  Effect.gen(function* () {
    const router = yield* HttpApiBuilder.Router
    const services = yield* Effect.context<R>()
    const budget = yield* BodyBudget
    const publicUrl = yield* PublicUrl
    const { endpoints, middlewares } = self.group
    for (const item of self.handlers) {
      const endpoint = endpoints[item.endpoint.name]
      if (endpoint === undefined) continue
      const [middleware, ...others] = [...middlewares, ...endpoint.middlewares]
      // A second one would not be run.
      if (others.length > 0) return yield* Effect.dieMessage(`${endpoint.name} has more than one middleware`)
      yield* router.addRoute(routeOf(item, endpoint, middleware, services, budget, publicUrl))
    }
    // The platform registers the routes of these handlers: none.
    return Object.create(self, { handlers: { value: Chunk.empty() } })
  })
