import * as McpSchema from "@effect/ai/McpSchema"
import * as RpcSerialization from "@effect/rpc/RpcSerialization"
import { Either, Layer, Predicate } from "effect"

/** Error codes of JSON-RPC 2.0 section 5.1. */
const codes = { parseError: -32700, invalidRequest: -32600, methodNotFound: -32601, invalidParams: -32602 } as const

interface RpcError {
  readonly code: number
  readonly message: string
}

/** A request without a response yet. `error` replaces its response. */
interface Pending {
  readonly id: unknown
  readonly error?: RpcError
}

const parseJson = (text: string) => Either.try((): unknown => JSON.parse(text))

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
    const complete = method === "tools/call" && Predicate.isRecord(params) ? { arguments: {}, ...params } : params
    return [{ jsonrpc: "2.0", method, params: complete, id: open({ id }) }]
  }

  const writeOne = (message: unknown): unknown => {
    if (!Predicate.isRecord(message) || message.method !== undefined) return message
    const number = Number(message.id)
    const request = pending.get(number)
    pending.delete(number)
    const id = request?.id ?? null
    if (request?.error !== undefined) return { jsonrpc: "2.0", id, error: request.error }
    return Predicate.isRecord(message.error)
      ? { jsonrpc: "2.0", id, error: errorOf(message.error) }
      : { jsonrpc: "2.0", id, result: message.result }
  }

  return {
    decode: (bytes) => {
      const text = typeof bytes === "string" ? bytes : new TextDecoder().decode(bytes)
      if (text.trim() === "") return []
      const messages = Either.match(parseJson(text), {
        onLeft: () => refuse(null, { code: codes.parseError, message: "A message must be JSON in one line" }),
        onRight: (value) => (Array.isArray(value) ? value.flatMap(readOne) : readOne(value))
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

/** One message per line, for standard input and output. Each chunk to decode is one line. */
export const JsonRpcLines = Layer.succeed(
  RpcSerialization.RpcSerialization,
  RpcSerialization.RpcSerialization.of({
    contentType: "application/json",
    includesFraming: true,
    unsafeMake: makeParser
  })
)
