import { HttpRouter, HttpServerRequest } from "@effect/platform"
import * as NodeHttpServerRequest from "@effect/platform-node/NodeHttpServerRequest"
import { BadRequestError, PayloadTooLargeError, type ServiceUnavailableError } from "@switchboard/domain/Errors"
import { inSlices } from "@switchboard/services/NextTurn"
import { Context, Effect, Either, Option, ParseResult, type Schema } from "effect"
import { attachmentBody } from "../../Annotations.js"
import { CurrentCaller } from "../../Authorization.js"
import { bodyLimitOf } from "../../OperationRules.js"
import { BodyBudget, exhausted, type Reservation } from "./BodyBudget.js"
import { strictOptions } from "./CompiledDecoder.js"
import { decodeBody } from "./DecodeBody.js"
import { writeContinue } from "./ExpectContinue.js"
import { parseJsonObject } from "./JsonBody.js"
import { parsingWithFiles } from "./LargeFiles.js"

const tooLarge = (limit: number) =>
  new PayloadTooLargeError({ message: `The body is larger than ${limit} bytes`, limitBytes: limit })

/** The error of the headers of a body. Null: there is none. */
const headerError = (request: HttpServerRequest.HttpServerRequest, mediaType: string, limit: number) => {
  const { "content-encoding": encoding, "content-length": length, "content-type": type = "" } = request.headers
  const [media = "", ...parameters] = type
    .toLowerCase()
    .split(";")
    .map((part) => part.trim())
  if (media !== mediaType || parameters.some((part) => /^charset=/.test(part) && !/^charset="?utf-8"?$/.test(part))) {
    return new BadRequestError({ message: `The Content-Type must be ${mediaType}` })
  }
  if (encoding !== undefined && encoding !== "identity") {
    return new BadRequestError({ message: "The body must not have a Content-Encoding" })
  }
  return length !== undefined && Number(length) > limit ? tooLarge(limit) : null
}

type ReadFailed = BadRequestError | PayloadTooLargeError | ServiceUnavailableError

/** The initial reservation for a body of unknown length, in bytes. */
const initialBytes = 64 * 1024

/**
 * Reads a body into its reserved memory, which grows with a body of unknown length. The rest of a rejected body is
 * discarded, so that the client can read the response.
 */
const readBytes = (request: HttpServerRequest.HttpServerRequest, limit: number, reservation: Reservation) =>
  Effect.async<Uint8Array, ReadFailed>((resume) => {
    writeContinue(request)
    const source = NodeHttpServerRequest.toIncomingMessage(request)
    let octets = Buffer.allocUnsafe(reservation.bytes())
    let size = 0
    const finish = (result: Effect.Effect<Uint8Array, ReadFailed>) => {
      source.off("data", onData).off("end", onEnd).off("error", onLost).off("close", onLost)
      resume(result)
    }
    const refuse = (error: ReadFailed) => {
      finish(error)
      source.resume()
    }
    const onData = (chunk: Uint8Array) => {
      const begin = size
      size += chunk.byteLength
      if (size > limit) return refuse(tooLarge(limit))
      if (size > octets.byteLength) {
        if (!reservation.resize(Math.min(limit, size * 2))) return refuse(exhausted)
        octets = Buffer.concat([octets.subarray(0, begin)], reservation.bytes())
      }
      octets.set(chunk, begin)
    }
    const onEnd = () => {
      reservation.resize(size)
      finish(Effect.succeed(octets.subarray(0, size)))
    }
    const onLost = () => finish(new BadRequestError({ message: "The body ended early" }))
    source.on("data", onData).on("end", onEnd).on("error", onLost).on("close", onLost)
  })

/** Reads a request body as bytes: checks its media type and its size (`BodyLimit`), and reserves memory for it. */
export const readOctets = (mediaType: string) =>
  Effect.contextWithEffect(
    (
      services: Context.Context<BodyBudget | HttpRouter.RouteContext | HttpServerRequest.HttpServerRequest>
    ): Effect.Effect<Uint8Array, ReadFailed> => {
      const request = Context.get(services, HttpServerRequest.HttpServerRequest)
      const limit = bodyLimitOf(Context.get(services, HttpRouter.RouteContext).route)
      const error = headerError(request, mediaType, limit)
      if (error !== null) return error
      const caller = Context.getOption(services, CurrentCaller)
      const reserved = Context.get(services, BodyBudget).reserve(
        Option.isSome(caller) ? caller.value.organizationId : "",
        Number(request.headers["content-length"] ?? Math.min(limit, initialBytes)),
        NodeHttpServerRequest.toServerResponse(request)
      )
      return Effect.flatMap(reserved, (reservation) => readBytes(request, limit, reservation))
    }
  )

/** The maximum size of a body with attachments that is parsed at once, in bytes. */
const maxBytesAtOnce = 256 * 1024

/**
 * Reads a request body as a JSON object: checks UTF-8, nesting and syntax. A large body with attachments is parsed in
 * slices, between which other requests are handled.
 */
export const readObject = Effect.flatMap(
  readOctets("application/json"),
  (bytes): Effect.Effect<object, BadRequestError, HttpRouter.RouteContext> =>
    bytes.byteLength <= maxBytesAtOnce
      ? parseJsonObject(bytes)
      : Effect.flatMap(HttpRouter.RouteContext, ({ route }) =>
          bodyLimitOf(route) === attachmentBody
            ? Effect.flatten(inSlices(parsingWithFiles(bytes)))
            : parseJsonObject(bytes)
        )
)

/** Whether a request has no body (RFC 9112 section 6.3). */
const isBodiless = ({ headers }: HttpServerRequest.HttpServerRequest) =>
  headers["transfer-encoding"] === undefined && Number(headers["content-length"] ?? 0) === 0

/** Reads and decodes a request body. Without required fields, the body is optional. */
export const readBody = <A, I>(schema: Schema.Schema<A, I>) => {
  const decode = decodeBody(schema)
  const isOptional = Either.isRight(ParseResult.decodeUnknownEither(schema, strictOptions)({}))
  const readOptional = Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) =>
    isBodiless(request) ? Effect.succeed({}) : readObject
  )
  return Effect.flatMap(isOptional ? readOptional : readObject, decode)
}
