import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from "node:http"
import type { Socket } from "node:net"
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

/** Limits for receiving a request, in milliseconds. */
export interface RequestLimits {
  /** Until the headers are complete. */
  readonly headersTimeout: number
  /** Until the request is complete, unless it is an upload that keeps its minimum rate. */
  readonly requestTimeout: number
  /** The maximum pause of such an upload. */
  readonly idleTimeout: number
  /** The maximum duration of an upload, including the time in which it waits for memory. */
  readonly maxUploadTime: number
  readonly checkInterval: number
  /** How long an idle connection stays open. */
  readonly keepAliveTimeout: number
}

/** The minimum rate of a request's body, in octets per second; null for a request that is not an upload. */
export type MinRate = (request: IncomingMessage) => number | null

/** An upload in progress. */
interface Upload {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly minRate: number
  readonly startedAt: number
  /** `bytesRead` of its connection when it began. */
  readonly bytesBefore: number
}

/**
 * Checks an upload that has exceeded Node's `requestTimeout`, until it is complete. Its rate and pauses are measured over
 * the time in which this process was able to read: not while octets are unread, and not while the event loop is blocked.
 * The connection is closed if the response was already sent.
 */
const monitor = (
  { bytesBefore, minRate, request, response, startedAt }: Upload,
  socket: Socket,
  limits: RequestLimits
) => {
  let checkedAt = performance.now()
  let read = socket.bytesRead
  let hadUnread = request.readableLength > 0
  let readableFor = 0
  let idleFor = 0
  const timer = setInterval(() => {
    if (request.complete || socket.destroyed) return clearInterval(timer)
    const now = performance.now()
    const hasUnread = request.readableLength > 0
    // After octets were unread, the socket begins to read in the course of the next interval.
    const passed = hasUnread || hadUnread ? 0 : Math.min(now - checkedAt, limits.checkInterval)
    hadUnread = hasUnread
    readableFor += passed
    idleFor = hasUnread || socket.bytesRead > read ? 0 : idleFor + passed
    checkedAt = now
    read = socket.bytesRead
    const isBehind = read - bytesBefore < (readableFor / 1_000) * minRate
    const isSlow = (isBehind && !hasUnread) || idleFor > limits.idleTimeout || now - startedAt > limits.maxUploadTime
    if (!isSlow && !response.headersSent) return
    clearInterval(timer)
    if (response.headersSent) socket.destroy()
    else refuseSocket(socket, "ERR_HTTP_REQUEST_TIMEOUT")
  }, limits.checkInterval)
  timer.unref()
}

/**
 * Keeps a connection that ends with its response open until the body of its request is read, or the request's time limit is
 * exceeded. With unread octets it would be reset, and the client could lose the response (RFC 9112 section 9.6).
 */
const closeAfterBody = (request: IncomingMessage) => {
  const { socket } = request
  const close = socket.destroySoon
  // Node calls it after the response.
  socket.destroySoon = () => {
    socket.destroySoon = close
    if (request.complete) return socket.destroySoon()
    socket.end()
    request.once("end", () => socket.destroySoon())
  }
}

/**
 * An HTTP server that refuses slow requests with 408. Uploads with a Content-Length may exceed `requestTimeout` while they
 * keep their minimum rate.
 */
export const serverWithin = (limits: RequestLimits, minRate: MinRate): Server => {
  const uploads = new WeakMap<Duplex, Upload>()
  const server = createServer({
    headersTimeout: limits.headersTimeout,
    requestTimeout: limits.requestTimeout,
    keepAliveTimeout: limits.keepAliveTimeout,
    connectionsCheckingInterval: limits.checkInterval,
    // The API responds to requests without Host.
    requireHostHeader: false
  })
  // The API responds to `Expect`: it sends 100 Continue after it has checked the API key and the size.
  const pass: RequestListener = (request, response) => server.emit("request", request, response)
  server.on("checkContinue", pass).on("checkExpectation", pass)
  server.on("request", (request, response) => {
    if (!response.shouldKeepAlive && !request.complete) closeAfterBody(request)
    const rate = request.headers["content-length"] === undefined ? null : minRate(request)
    if (rate === null) return
    const { socket } = request
    uploads.set(socket, {
      request,
      response,
      minRate: rate,
      startedAt: performance.now(),
      bytesBefore: socket.bytesRead
    })
  })
  server.on("clientError", (error: NodeJS.ErrnoException, socket) => {
    const upload = uploads.get(socket)
    const isInProgress = upload !== undefined && !upload.request.complete && !upload.response.headersSent
    if (error.code === "ERR_HTTP_REQUEST_TIMEOUT" && isInProgress) return monitor(upload, upload.request.socket, limits)
    refuseSocket(socket, error.code)
  })
  return server
}
