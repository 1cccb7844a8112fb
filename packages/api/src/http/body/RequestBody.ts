import { HttpRouter, HttpServerRequest } from "@effect/platform"
import * as NodeHttpServerRequest from "@effect/platform-node/NodeHttpServerRequest"
import {
  BadRequestError,
  PayloadTooLargeError,
  type ServiceUnavailableError,
  ValidationError
} from "@switchboard/domain/Errors"
import { Effect, Either, Option, ParseResult, type Schema } from "effect"
import { CurrentCaller } from "../../Authorization.js"
import { bodyLimitOf } from "../../OperationRules.js"
import { BodyBudget, exhausted, type Reservation } from "./BodyBudget.js"
import { compiledDecoder, strict } from "./CompiledDecoder.js"
import { sendContinue } from "./ExpectContinue.js"
import { joinFields } from "./Fields.js"
import { describeIssue } from "./IssueText.js"
import { isKeepable, parseJsonObject, unkeepable } from "./JsonBody.js"

const tooLarge = (limit: number) =>
  new PayloadTooLargeError({ message: `The body is larger than ${limit} bytes`, limitBytes: limit })

const checkHeaders = (request: HttpServerRequest.HttpServerRequest, mediaType: string, limit: number) => {
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
  return length !== undefined && Number(length) > limit ? tooLarge(limit) : Effect.void
}

type ReadFailed = BadRequestError | PayloadTooLargeError | ServiceUnavailableError

/** What is reserved first for a body of unknown length. */
const firstBytes = 64 * 1024

/**
 * Reads a body into the memory that is reserved for it, which grows with a body of unknown length. The rest of a body
 * that is refused is discarded, so that its sender can read the response.
 */
const readBytes = (request: HttpServerRequest.HttpServerRequest, limit: number, reservation: Reservation) =>
  Effect.async<Uint8Array, ReadFailed>((resume) => {
    const source = NodeHttpServerRequest.toIncomingMessage(request)
    const chunks: Array<Uint8Array> = []
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
      size += chunk.byteLength
      if (size > limit) refuse(tooLarge(limit))
      else if (size > reservation.bytes() && !reservation.resize(Math.min(limit, size * 2))) refuse(exhausted)
      else chunks.push(chunk)
    }
    const onEnd = () => {
      reservation.resize(size)
      finish(Effect.succeed(Buffer.concat(chunks)))
    }
    const onLost = () => finish(new BadRequestError({ message: "The body ended early" }))
    source.on("data", onData).on("end", onEnd).on("error", onLost).on("close", onLost)
  })

/** The form of a value, or what is wrong with it; what its members say is left to whoever takes them. */
export const decodeForm = <A, I>(schema: Schema.Schema<A, I>) => {
  const decode = ParseResult.decodeUnknownEither(schema, strict)
  return (value: unknown): Effect.Effect<A, ValidationError> =>
    Effect.catchAll(decode(value), (issue) => invalid(describeIssue(issue)))
}

/** What can be kept and its schema takes, or all that is wrong with it. */
export const decodeBody = <A, I>(schema: Schema.Schema<A, I>) => {
  const read = compiledDecoder(schema)
  const decode = ParseResult.decodeUnknownEither(schema, strict)
  return (value: unknown): Effect.Effect<A, ValidationError> => {
    const plain = isKeepable(value) ? read(value) : Option.none()
    if (Option.isSome(plain)) return Effect.succeed(plain.value)
    const lost = unkeepable(value)
    return Either.match(decode(value), {
      onLeft: (issue) => invalid(joinFields(lost, describeIssue(issue))),
      onRight: (decoded) => (Object.keys(lost).length > 0 ? invalid(lost) : Effect.succeed(decoded))
    })
  }
}

/** The answer to a body that breaks rules. */
export const invalid = (fields: Record<string, ReadonlyArray<string>>) =>
  new ValidationError({ message: "The request body is invalid", fields })

/**
 * Reads the octets of a request's body: checks content type and size, which is an annotation of the operation, and
 * reserves their memory.
 */
export const readOctets = (mediaType: string) =>
  Effect.gen(function* () {
    const request = yield* HttpServerRequest.HttpServerRequest
    const { route } = yield* HttpRouter.RouteContext
    const budget = yield* BodyBudget
    const limit = bodyLimitOf(route)
    yield* checkHeaders(request, mediaType, limit)
    const organization = Option.map(yield* Effect.serviceOption(CurrentCaller), ({ organizationId }) => organizationId)
    const reservation = yield* budget.reserve(
      Option.getOrElse(organization, () => ""),
      Number(request.headers["content-length"] ?? Math.min(limit, firstBytes)),
      NodeHttpServerRequest.toServerResponse(request)
    )
    yield* sendContinue(request)
    return yield* readBytes(request, limit, reservation)
  })

/** A body as a JSON object: UTF-8, nesting and syntax are checked. */
export const readObject = Effect.flatMap(readOctets("application/json"), parseJsonObject)

/** Whether a request brings no body at all (RFC 9112 section 6.3). */
const isBodiless = ({ headers }: HttpServerRequest.HttpServerRequest) =>
  headers["transfer-encoding"] === undefined && Number(headers["content-length"] ?? 0) === 0

/**
 * A body that its schema takes; 422 names every field that is wrong. The body may be left out where its schema takes an
 * object without fields.
 */
export const readBody = <A, I>(schema: Schema.Schema<A, I>) => {
  const decode = decodeBody(schema)
  const isOptional = Either.isRight(ParseResult.decodeUnknownEither(schema, strict)({}))
  const readValue = Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) =>
    isOptional && isBodiless(request) ? Effect.succeed({}) : readObject
  )
  return Effect.flatMap(readValue, decode)
}
