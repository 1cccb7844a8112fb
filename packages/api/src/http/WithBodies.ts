import {
  type HttpApiBuilder,
  type HttpApiEndpoint,
  HttpApiSchema,
  type HttpServerRequest,
  HttpServerResponse
} from "@effect/platform"
import { Chunk, Context, Effect, Option, Schema } from "effect"
import { EncodedAsIs, Location } from "../Annotations.js"
import type { BodyBudget } from "./body/BodyBudget.js"
import { readBody } from "./body/RequestBody.js"
import { locationHeader } from "./LocationHeader.js"
import { isPage, pageBody, pageHeaders } from "./PageResponse.js"
import { type RequestParameters, readParameters } from "./RequestParameters.js"

type Endpoint = HttpApiEndpoint.HttpApiEndpoint.AnyWithProps
interface FullRequest extends Partial<RequestParameters> {
  readonly request: HttpServerRequest.HttpServerRequest
  readonly payload?: unknown
}
type Item<E, R> = HttpApiBuilder.Handlers.Item<E, R>

/** The response to the success value of an endpoint, by its schema and status. A value that does not encode is a defect. */
const successResponse = (endpoint: Endpoint) => {
  const { ast } = endpoint.successSchema
  const options = { status: HttpApiSchema.getStatusSuccess(endpoint.successSchema) }
  const asIs = Option.isSome(Context.getOption(endpoint.annotations, EncodedAsIs))
  const location = Context.getOption(endpoint.annotations, Location)
  const encode = asIs ? (value: unknown) => value : Schema.encodeUnknownSync(Schema.make<unknown>(ast))
  return (value: unknown, target: string) => {
    if (isPage(value)) {
      return HttpServerResponse.unsafeJson(encode(pageBody(value)), { ...options, headers: pageHeaders(value, target) })
    }
    const body = encode(value)
    return HttpServerResponse.unsafeJson(
      body,
      Option.isSome(location) ? { ...options, headers: locationHeader(location.value, body) } : options
    )
  }
}

/** The endpoint without its parameters, which the platform would decode up to the first error. */
const withoutParameters = (endpoint: Endpoint): Endpoint =>
  Object.create(endpoint, {
    pathSchema: { value: Option.none() },
    urlParamsSchema: { value: Option.none() },
    headersSchema: { value: Option.none() }
  })

/** Handlers of `handleRaw` read their body and build their response themselves. */
const adaptHandler = <E, R>({ handler, withFullRequest }: Item<E, R>, endpoint: Endpoint) => {
  if (withFullRequest) return handler
  const respond = successResponse(endpoint)
  const read = endpoint.payloadSchema.pipe(
    Option.filter(({ ast }) => HttpApiSchema.getEncoding(ast).kind === "Json"),
    Option.map(({ ast }) => readBody(Schema.make<unknown>(ast)))
  )
  const handle = (request: FullRequest) =>
    Effect.map(handler(request), (result) =>
      HttpServerResponse.isServerResponse(result) ? result : respond(result, request.request.originalUrl)
    )
  return Option.match(read, {
    onNone: () => handle,
    onSome: (payload) => (request: FullRequest) =>
      Effect.flatMap(payload, (decoded) => handle({ ...request, payload: decoded }))
  })
}

const adapt = <E, R>(item: Item<E, R>, endpoint: Endpoint) => {
  const handle = adaptHandler(item, endpoint)
  const parameters = readParameters(endpoint)
  return {
    ...item,
    endpoint: withoutParameters(endpoint),
    withFullRequest: true,
    handler: ({ request }: FullRequest) => Effect.flatMap(parameters, (decoded) => handle({ request, ...decoded }))
  }
}

/**
 * Decodes the parameters of a group's requests with `RequestParameters`, then their bodies with `RequestBody`, and
 * encodes the results of its handlers. The platform would report only the first error of a request, as 400, and report
 * a response that does not encode as 400 too.
 */
export const withBodies = <E, Provides, R, Endpoints extends HttpApiEndpoint.HttpApiEndpoint.Any>(
  self: HttpApiBuilder.Handlers<E, Provides, R, Endpoints>
): HttpApiBuilder.Handlers<E, Provides, R | BodyBudget, Endpoints> =>
  Object.create(self, {
    handlers: {
      value: Chunk.map(self.handlers, (item) => {
        const endpoint = self.group.endpoints[item.endpoint.name]
        return endpoint === undefined ? item : adapt(item, endpoint)
      })
    }
  })
