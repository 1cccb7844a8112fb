import { randomUUID } from "node:crypto"
import { HttpRouter, HttpServerRequest } from "@effect/platform"
import * as NodeHttpServerRequest from "@effect/platform-node/NodeHttpServerRequest"
import { BadRequestError, PayloadTooLargeError, type ServiceUnavailableError } from "@switchboard/domain/Errors"
import { FileContent } from "@switchboard/domain/messages/Attachment"
import { inSlices } from "@switchboard/services/NextTurn"
import { type Slices, sliceBytes } from "@switchboard/services/Slices"
import { Context, Effect, Either, Option, ParseResult, Predicate, type Schema } from "effect"
import { attachmentBody } from "../../Annotations.js"
import { CurrentCaller } from "../../Authorization.js"
import { bodyLimitOf } from "../../OperationRules.js"
import { BodyBudget, exhausted, type Reservation } from "./BodyBudget.js"
import { decodeBody, strictOptions } from "./DecodeBody.js"
import { asObject, endOfString, parseJson, parsingJson, quote } from "./JsonBody.js"

const expectation = (request: HttpServerRequest.HttpServerRequest) =>
  NodeHttpServerRequest.toIncomingMessage(request).httpVersion === "1.1" ? request.headers.expect : undefined

/** Whether the header `Expect` has an unsupported value (RFC 9110 section 10.1.1). */
export const hasUnknownExpectation = (request: HttpServerRequest.HttpServerRequest): boolean => {
  const expected = expectation(request)
  return expected !== undefined && !/^100-continue$/i.test(expected)
}

/** Sends `100 Continue` to a client that waits for it before it sends the body. */
export const writeContinue = (request: HttpServerRequest.HttpServerRequest): void => {
  if (expectation(request) !== undefined) NodeHttpServerRequest.toServerResponse(request).writeContinue()
}

/** The minimum length of a text that is taken out of a body, in octets. */
const minTextBytes = 64 * 1024

/** What stands for the text of a file in the rest of a body, before its number. No client knows it. */
const mark = `${randomUUID()}:`

const paddingOf = (base64: string) => (base64.endsWith("==") ? 2 : base64.endsWith("=") ? 1 : 0)

/** Decodes the base64 (RFC 4648 section 4) of a JSON string, of which some writers escape `/`. Null: it is something else. */
function* decodeBase64(text: Buffer): Slices<Uint8Array | null> {
  const octets = Buffer.allocUnsafeSlow(Math.ceil(text.byteLength / 4) * 3)
  let length = 0
  let carried = ""
  for (let at = 0; at < text.byteLength; at += sliceBytes) {
    const slice = carried + text.toString("latin1", at, at + sliceBytes).replaceAll("\\/", "/")
    const complete = slice.slice(0, slice.length - ((slice.length - (slice.endsWith("\\") ? 1 : 0)) % 4))
    carried = slice.slice(complete.length)
    const expected = (complete.length / 4) * 3 - paddingOf(complete)
    // The decoder skips other characters, but takes those of base64url.
    const isBase64url = complete.includes("-") || complete.includes("_")
    if (isBase64url || octets.write(complete, length, "base64") !== expected) return null
    length += expected
    yield
  }
  return carried === "" ? octets.subarray(0, length) : null
}

/** A body without its large files: the text of each is a mark with its number. */
interface Body {
  readonly rest: Uint8Array
  readonly files: ReadonlyArray<FileContent>
}

/** Takes long base64 texts out of JSON. */
function* takeLargeFiles(bytes: Uint8Array): Slices<Body> {
  const body = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const rest: Array<Uint8Array> = []
  const files: Array<FileContent> = []
  let copied = 0
  let strings = 0
  for (let begin = body.indexOf(quote); begin !== -1; ) {
    const end = endOfString(body, begin + 1)
    if (end - begin > minTextBytes) {
      const octets = yield* decodeBase64(body.subarray(begin + 1, end))
      if (octets !== null) {
        rest.push(body.subarray(copied, begin + 1), Buffer.from(`${mark}${files.length}`))
        files.push(new FileContent(octets))
        copied = end
      }
    }
    if (++strings % 10_000 === 0) yield
    begin = body.indexOf(quote, end + 1)
  }
  return { rest: Buffer.concat([...rest, body.subarray(copied)]), files }
}

/** The objects of a body that may have attachments: of an e-mail, of a send with one, or of a batch of sends. */
const holders = (body: object): ReadonlyArray<unknown> => {
  const { messages } = { messages: undefined, ...body }
  return [body, ...(Array.isArray(messages) ? messages : [])].flatMap((one: unknown) =>
    Predicate.hasProperty(one, "email") ? [one, one.email] : [one]
  )
}

const attachmentsOf = (holder: unknown): ReadonlyArray<unknown> =>
  Predicate.hasProperty(holder, "attachments") && Array.isArray(holder.attachments) ? holder.attachments : []

/**
 * Puts files back as `FileContent`, where a body has the content of a file. Returns whether all of them are there; the
 * others are texts of the client.
 */
const putFilesBack = (body: object, files: ReadonlyArray<FileContent>): boolean => {
  const found = [body, ...holders(body).flatMap(attachmentsOf)].filter((file) => {
    if (!Predicate.hasProperty(file, "content") || !Predicate.isString(file.content)) return false
    const content = file.content.startsWith(mark) ? files[Number(file.content.slice(mark.length))] : undefined
    if (content === undefined) return false
    return Reflect.set(file, "content", content)
  })
  return found.length === files.length
}

/**
 * Parses a body as `parseJson` does, with the contents of large files as `FileContent`. They are decoded in slices
 * and never become text.
 */
export function* parsingWithFiles(bytes: Uint8Array): Slices<Either.Either<object, BadRequestError>> {
  const { files, rest } = yield* takeLargeFiles(bytes)
  const body = yield* parsingJson(rest)
  return Either.isLeft(body) || putFilesBack(body.right, files) ? body : yield* parsingJson(bytes)
}

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

/** Reads a request body as bytes: checks its media type and its size, and reserves memory for it. */
export const readWithin = (
  request: HttpServerRequest.HttpServerRequest,
  { limit, mediaType }: { readonly limit: number; readonly mediaType: string },
  reserve: (bytes: number) => Effect.Effect<Reservation, ServiceUnavailableError>
): Effect.Effect<Uint8Array, ReadFailed> =>
  headerError(request, mediaType, limit) ??
  Effect.flatMap(reserve(Number(request.headers["content-length"] ?? Math.min(limit, initialBytes))), (reservation) =>
    readBytes(request, limit, reservation)
  )

/** Reads a request body as bytes, within the limit of its operation (`BodyLimit`) and the memory for bodies. */
export const readOctets = (mediaType: string) =>
  Effect.contextWithEffect(
    (
      services: Context.Context<BodyBudget | HttpRouter.RouteContext | HttpServerRequest.HttpServerRequest>
    ): Effect.Effect<Uint8Array, ReadFailed> => {
      const request = Context.get(services, HttpServerRequest.HttpServerRequest)
      const limit = bodyLimitOf(Context.get(services, HttpRouter.RouteContext).route)
      const caller = Context.getOption(services, CurrentCaller)
      return readWithin(request, { limit, mediaType }, (bytes) =>
        Context.get(services, BodyBudget).reserve(
          Option.isSome(caller) ? caller.value.organizationId : "",
          bytes,
          NodeHttpServerRequest.toServerResponse(request)
        )
      )
    }
  )

/** The maximum size of a body with attachments that is parsed at once, in bytes. */
const maxBytesAtOnce = 256 * 1024

/**
 * Reads a request body as a JSON object or array: checks UTF-8, nesting and syntax. A large body with attachments is
 * parsed in slices, between which other requests are handled.
 */
export const readJson = Effect.flatMap(
  readOctets("application/json"),
  (bytes): Effect.Effect<object, BadRequestError, HttpRouter.RouteContext> =>
    bytes.byteLength <= maxBytesAtOnce
      ? parseJson(bytes)
      : Effect.flatMap(HttpRouter.RouteContext, ({ route }) =>
          bodyLimitOf(route) === attachmentBody ? Effect.flatten(inSlices(parsingWithFiles(bytes))) : parseJson(bytes)
        )
)

/** Reads a request body as a JSON object. */
export const readObject = Effect.flatMap(readJson, asObject)

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
