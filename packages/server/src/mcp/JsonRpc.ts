import * as McpSchema from "@effect/ai/McpSchema"
import * as RpcSerialization from "@effect/rpc/RpcSerialization"
import { exceededLimit, maxDepth, maxValues } from "@switchboard/api/http/body/JsonBody"
import { atOnce } from "@switchboard/services/Slices"
import { Either, Layer, Predicate } from "effect"
import { maxOpenCalls } from "./AgentTool.js"

/** Error codes of JSON-RPC 2.0 section 5.1, and of a limit in the range for servers. */
const codes = {
  parseError: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  limitExceeded: -32005
} as const

/** The maximum size of a message, in octets. */
export const maxMessageBytes = 4 * 1024 * 1024

/** The maximum number of messages in an array of them. */
const maxBatch = 64

interface RpcError {
  readonly code: number
  readonly message: string
}

/** A request without a response yet. `error` replaces its response. */
interface Pending {
  readonly id: unknown
  readonly error?: RpcError
  readonly isCall?: boolean
}

const tooManyCalls = {
  code: codes.limitExceeded,
  message: `More than ${maxOpenCalls} calls are open: repeat the call after the response to another one`
}

/** Parses JSON of bounded size, depth and number of values. */
export const parseMessage = (bytes: Uint8Array): Either.Either<unknown, RpcError> => {
  const invalid = (code: number, message: string) => Either.left({ code, message })
  if (bytes.byteLength > maxMessageBytes) {
    return invalid(codes.parseError, `A message must have at most ${maxMessageBytes} octets`)
  }
  const exceeded = atOnce(exceededLimit(bytes))
  if (exceeded !== null) {
    const limit = exceeded === "depth" ? `${maxDepth} levels` : `${maxValues} values`
    return invalid(codes.invalidRequest, `A message must have at most ${limit}`)
  }
  return Either.try({
    try: (): unknown => JSON.parse(new TextDecoder().decode(bytes)),
    catch: () => ({ code: codes.parseError, message: "A message must be JSON" })
  })
}

/** The response to a message that has no id. */
export const errorResponse = (error: RpcError) => ({ jsonrpc: "2.0", id: null, error })

/** The response to a body that is an array of messages, or no message. */
export const notOneMessage = errorResponse({
  code: codes.invalidRequest,
  message: "The body must be one message, a JSON object"
})

/** The library has no response for an unknown method; for a tool without a name it has an error. */
const failingRequest = { method: "tools/call", params: { name: "", arguments: {} } }

/** The message of an error. The library encodes one of its own errors as a defect, without a code. */
const errorOf = ({ code, data, message }: Readonly<Record<string, unknown>>): RpcError => ({
  code: typeof code === "number" && code !== 0 ? code : codes.invalidParams,
  message: Predicate.hasProperty(data, "defect") && Predicate.isString(data.defect) ? data.defect : String(message)
})

/**
 * The JSON-RPC messages of one connection. The library takes only numbers as ids, requires the `arguments` of a call, and
 * stops reading at invalid JSON: requests get numbers while they are processed, and each error its response.
 */
const makeParser = (): RpcSerialization.Parser => {
  const parser = RpcSerialization.jsonRpc().unsafeMake()
  const pending = new Map<number, Pending>()
  let lastNumber = 0
  let openCalls = 0

  const open = (request: Pending) => {
    lastNumber += 1
    pending.set(lastNumber, request)
    return lastNumber
  }

  const refuse = (id: unknown, error: RpcError) => [
    { jsonrpc: "2.0", ...failingRequest, id: open({ id: id ?? null, error }) }
  ]

  const cancelled = (params: unknown) => {
    const id = Predicate.hasProperty(params, "requestId") ? params.requestId : undefined
    const found = [...pending].find(([, request]) => request.id === id)
    return found === undefined
      ? []
      : [{ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: found[0] } }]
  }

  const readOne = (message: unknown): ReadonlyArray<object> => {
    if (!Predicate.isRecord(message)) {
      return refuse(null, { code: codes.invalidRequest, message: "A message must be a JSON object" })
    }
    const { id, method, params } = message
    // The server sends no requests, so that it expects no responses.
    if (method === undefined && (message.result !== undefined || message.error !== undefined)) return []
    if (!Predicate.isString(method)) {
      return refuse(id, { code: codes.invalidRequest, message: "A request must have a method" })
    }
    const isKnown = McpSchema.ClientRpcs.requests.has(method)
    if (id === undefined) {
      if (method === "notifications/cancelled") return cancelled(params)
      return isKnown && method.startsWith("notifications/") ? [{ jsonrpc: "2.0", method, params }] : []
    }
    if (!isKnown || method.startsWith("notifications/")) {
      return refuse(id, { code: codes.methodNotFound, message: `The method ${method} does not exist` })
    }
    if (method !== "tools/call") return [{ jsonrpc: "2.0", method, params, id: open({ id }) }]
    if (openCalls >= maxOpenCalls) return refuse(id, tooManyCalls)
    openCalls += 1
    const complete = Predicate.isRecord(params) ? { arguments: {}, ...params } : params
    return [{ jsonrpc: "2.0", method, params: complete, id: open({ id, isCall: true }) }]
  }

  const readAll = (value: unknown): ReadonlyArray<object> => {
    if (!Array.isArray(value)) return readOne(value)
    return value.length >= 1 && value.length <= maxBatch
      ? value.flatMap(readOne)
      : refuse(null, { code: codes.invalidRequest, message: `An array must have 1 to ${maxBatch} messages` })
  }

  const writeOne = (message: unknown): unknown => {
    if (!Predicate.isRecord(message) || message.method !== undefined) return message
    const number = Number(message.id)
    const request = pending.get(number)
    pending.delete(number)
    if (request?.isCall) openCalls -= 1
    const id = request?.id ?? null
    if (request?.error !== undefined) return { jsonrpc: "2.0", id, error: request.error }
    return Predicate.isRecord(message.error)
      ? { jsonrpc: "2.0", id, error: errorOf(message.error) }
      : { jsonrpc: "2.0", id, result: message.result }
  }

  return {
    decode: (bytes) => {
      const messages = Either.match(parseMessage(typeof bytes === "string" ? new TextEncoder().encode(bytes) : bytes), {
        onLeft: (error) => refuse(null, error),
        onRight: readAll
      })
      return messages.flatMap((message) => parser.decode(JSON.stringify(message)))
    },
    encode: (response) => {
      const text = parser.encode(response)
      if (text === undefined) return undefined
      const value: unknown = JSON.parse(String(text))
      return `${JSON.stringify(Array.isArray(value) ? value.map(writeOne) : writeOne(value))}\n`
    }
  }
}

/** JSON-RPC with one line for each response. Each chunk to decode is one message, or an array of messages. */
export const JsonRpcLines = Layer.succeed(
  RpcSerialization.RpcSerialization,
  RpcSerialization.RpcSerialization.of({
    contentType: "application/json",
    includesFraming: true,
    unsafeMake: makeParser
  })
)
