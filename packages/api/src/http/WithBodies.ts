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
import { Chunk, Context, Effect, Either, FiberRef, Option, Predicate, Redacted, Schema } from "effect"
import { Audit, EncodedAsIs, Location } from "../Annotations.js"
import { CurrentCaller } from "../Authorization.js"
import { AuditedOperations, parametersOf, type ReadResource } from "../audit/AuditedOperations.js"
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

/** Encodes the success value of an endpoint. A value that does not encode is a defect. */
const successEncoder = ({ annotations, successSchema }: Endpoint): ((value: unknown) => unknown) =>
  Option.isSome(Context.getOption(annotations, EncodedAsIs))
    ? (value) => value
    : Schema.encodeUnknownSync(Schema.make<unknown>(successSchema.ast))

/** The response to the success value of an endpoint, by its schema and status. */
const successResponse = (endpoint: Endpoint, publicUrl: string) => {
  const encode = successEncoder(endpoint)
  const options = { status: HttpApiSchema.getStatusSuccess(endpoint.successSchema) }
  const location = Option.getOrNull(
    Option.map(Context.getOption(endpoint.annotations, Location), (path) => locationHeader(publicUrl, path))
  )
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

/** Reads the original of a repeated creation by its id, as the caller. */
type ReadOriginal = (id: string, caller: typeof CurrentCaller.Service) => Effect.Effect<unknown, unknown>

/** The types of `handleOnce` guarantee that a creation has such a function. */
const isReadOriginal = (value: unknown): value is ReadOriginal => Predicate.isFunction(value)

/** How the resource of a path is read that an operation responds with, or creates; undefined for other operations. */
const readerOf = <E>(
  { handler }: Item<E, Required>,
  endpoint: Endpoint,
  budget: BodyBudget
): ReadResource | undefined => {
  const encode = successEncoder(endpoint)
  if (endpoint.method === "GET") {
    const names = parametersOf(endpoint.path)
    return (ids, urlParams, services) =>
      Effect.suspend(() => {
        const path = Object.fromEntries(names.map((name, at) => [name, ids[at]]))
        const request = Context.unsafeGet(services, HttpServerRequest.HttpServerRequest)
        const all = Context.add(services, BodyBudget, budget)
        return Effect.locally(
          withContext(handler({ request, path, urlParams, headers: {} }), all),
          FiberRef.currentContext,
          all
        )
      }).pipe(Effect.map((value) => (HttpServerResponse.isServerResponse(value) ? null : encode(value))))
  }
  const original = Predicate.hasProperty(handler, "original") ? handler.original : undefined
  if (!isReadOriginal(original)) return undefined
  return ([id = ""], _, services) =>
    Effect.map(
      Effect.suspend(() => original(id, Context.unsafeGet(services, CurrentCaller))),
      encode
    )
}

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
  publicUrl: string,
  audited: ReturnType<AuditedOperations["audit"]>
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

  const run = (full: FullRequest, services: Context.Context<never>) =>
    audited === null ? handler(full) : audited(handler(full), full, services)

  const handle = (
    request: HttpServerRequest.HttpServerRequest,
    { params }: HttpRouter.RouteContext,
    all: Context.Context<never>
  ) => {
    const parameters = parametersOf(request, params)
    if (Either.isLeft(parameters)) return Effect.fail(parameters.left)
    const full: FullRequest = { request, ...parameters.right }
    const handled = Option.match(payload, {
      onNone: () => run(full, all),
      onSome: (read) => Effect.flatMap(read, (decoded) => run({ payload: decoded, ...full }, all))
    })
    return Effect.map(handled, (result) =>
      HttpServerResponse.isServerResponse(result) ? result : encode(result, request.originalUrl)
    )
  }

  const handleWith = (ofRequest: Context.Context<Provided>) => {
    const request = Context.get(ofRequest, HttpServerRequest.HttpServerRequest)
    const routeContext = Context.get(ofRequest, HttpRouter.RouteContext)
    const all = Context.add(ofRequest, BodyBudget, budget)
    if (authenticated === null) return withContext(handle(request, routeContext, all), all)
    const handled = Effect.flatMap(authenticated, (service) => {
      // Only this fiber has these services: adding one to a copy of them would cost more.
      if (middleware?.provides !== undefined) all.unsafeMap.set(middleware.provides.key, service)
      return handle(request, routeContext, all)
    })
    return withContext(handled, all)
  }

  return HttpRouter.makeRoute(endpoint.method, endpoint.path, Effect.contextWithEffect(handleWith), { uninterruptible })
}

/** The path of the resource that a GET responds with, or that a creation creates. */
const resourceOf = ({ annotations, method, path }: Endpoint): string | undefined => {
  if (method === "GET") return path
  const rule = Option.getOrUndefined(Context.getOption(annotations, Audit))
  return rule !== undefined && "path" in rule ? rule.path : undefined
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
  HttpApiBuilder.Router | AuditedOperations | PublicUrl | R | BodyBudget
> =>
  Effect.gen(function* () {
    const router = yield* HttpApiBuilder.Router
    const services = yield* Effect.context<R>()
    const budget = yield* BodyBudget
    const publicUrl = yield* PublicUrl
    const { addReader, audit } = yield* AuditedOperations
    const { endpoints, identifier, middlewares } = self.group
    for (const item of self.handlers) {
      const endpoint = endpoints[item.endpoint.name]
      if (endpoint === undefined) continue
      const [middleware, ...others] = [...middlewares, ...endpoint.middlewares]
      // A second one would not be run.
      if (others.length > 0) return yield* Effect.dieMessage(`${endpoint.name} has more than one middleware`)
      const { method, name, path } = endpoint
      const read = readerOf(item, endpoint, budget)
      const resource = resourceOf(endpoint)
      if (read !== undefined && resource !== undefined) addReader(resource, read, method === "GET")
      const audited = audit({ group: identifier, method, name, path }, successEncoder(endpoint))
      yield* router.addRoute(routeOf(item, endpoint, middleware, services, budget, publicUrl, audited))
    }
    // The platform registers the routes of these handlers: none.
    return Object.create(self, { handlers: { value: Chunk.empty() } })
  })
