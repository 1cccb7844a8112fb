import { type HttpApiBuilder, type HttpApiEndpoint, HttpApiSchema, HttpServerResponse } from "@effect/platform"
import { Chunk, Context, Effect, Option, Schema } from "effect"
import { EncodedAsIs } from "../Annotations.js"
import type { BodyBudget } from "./body/BodyBudget.js"
import { readBody } from "./body/RequestBody.js"

type Endpoint = HttpApiEndpoint.HttpApiEndpoint.AnyWithProps
type Item<E, R> = HttpApiBuilder.Handlers.Item<E, R>

/** Responds with the success value of an endpoint, by its schema and status. A value that does not encode is a defect. */
const successOf = (endpoint: Endpoint) => {
  const { ast } = endpoint.successSchema
  const options = { status: HttpApiSchema.getStatusSuccess(endpoint.successSchema) }
  const asIs = Option.isSome(Context.getOption(endpoint.annotations, EncodedAsIs))
  const encode = asIs ? (value: unknown) => value : Schema.encodeUnknownSync(Schema.make<unknown>(ast))
  return (value: unknown) => HttpServerResponse.unsafeJson(encode(value), options)
}

const adapt = <E, R>(item: Item<E, R>, endpoint: Endpoint) => {
  const respond = successOf(endpoint)
  const read = endpoint.payloadSchema.pipe(
    Option.filter(({ ast }) => HttpApiSchema.getEncoding(ast).kind === "Json"),
    Option.map(({ ast }) => readBody(Schema.make<unknown>(ast)))
  )
  const handle = (request: object) =>
    Effect.map(item.handler(request), (result) =>
      HttpServerResponse.isServerResponse(result) ? result : respond(result)
    )
  return {
    ...item,
    withFullRequest: true,
    handler: Option.match(read, {
      onNone: () => handle,
      onSome: (payload) => (request: object) =>
        Effect.flatMap(payload, (given) => handle({ ...request, payload: given }))
    })
  }
}

/**
 * Reads the bodies of a group's operations by the rules of `RequestBody` after path, headers and query are decoded, and
 * encodes what their handlers return. The platform itself reports a body's first error alone, as 400, and blames the
 * caller for a response that does not encode. Handlers made by `handleRaw` are left as they are.
 */
export const withBodies = <E, Provides, R, Endpoints extends HttpApiEndpoint.HttpApiEndpoint.Any>(
  self: HttpApiBuilder.Handlers<E, Provides, R, Endpoints>
): HttpApiBuilder.Handlers<E, Provides, R | BodyBudget, Endpoints> =>
  Object.create(self, {
    handlers: {
      value: Chunk.map(self.handlers, (item) => {
        const endpoint = self.group.endpoints[item.endpoint.name]
        return item.withFullRequest || endpoint === undefined ? item : adapt(item, endpoint)
      })
    }
  })
