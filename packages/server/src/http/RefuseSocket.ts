import type { Duplex } from "node:stream"
import { errorResponse } from "@switchboard/api/http/ErrorResponse"
import { type ApiError, BadRequestError, ServiceUnavailableError } from "@switchboard/domain/Errors"

interface Refusal {
  readonly status: string
  readonly error: ApiError
}

const badRequest = (status: string, message: string): Refusal => ({ status, error: new BadRequestError({ message }) })

const refusals: Readonly<Record<string, Refusal>> = {
  ERR_HTTP_REQUEST_TIMEOUT: badRequest("408 Request Timeout", "The request did not arrive in time"),
  HPE_HEADER_OVERFLOW: badRequest("431 Request Header Fields Too Large", "The headers of the request are too large"),
  TOO_MANY_CONNECTIONS: {
    status: "503 Service Unavailable",
    error: new ServiceUnavailableError({ message: "The address has too many connections open", retryAfterSeconds: 1 })
  }
}

const malformed = badRequest("400 Bad Request", "The request is not well-formed HTTP")

const responseTo = (code: string | undefined): string => {
  const { error, status } = refusals[code ?? ""] ?? malformed
  const { body, headers } = errorResponse(error)
  const text = JSON.stringify(body)
  const lines = Object.entries({
    "Content-Type": "application/json",
    "Content-Length": String(Buffer.byteLength(text)),
    Connection: "close",
    ...headers
  }).map(([name, value]) => `${name}: ${value}\r\n`)
  return `HTTP/1.1 ${status}\r\n${lines.join("")}\r\n${text}`
}

/** Time for the client to read the response before its connection is closed, in milliseconds. */
const readTimeout = 1_000

/** Responds to a request that reaches no route, by the error's code, and closes the connection. */
export const refuseSocket = (socket: Duplex, code: string | undefined): void => {
  if (!socket.writable) return void socket.destroy()
  socket.end(responseTo(code))
  // After `clientError` Node does not close the socket: a client that never ends it would keep it open.
  setTimeout(() => socket.destroy(), readTimeout).unref()
}
