import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http"
import type { Socket } from "node:net"
import type { Duplex } from "node:stream"

/** How long a request may take to come in, in milliseconds. */
export interface RequestLimits {
  /** Until its headers are there. */
  readonly headers: number
  /** Until all of it is there, unless it is an upload whose octets keep coming. */
  readonly whole: number
  /** How long such an upload may say nothing. */
  readonly silence: number
  /** How long the longest upload may take, however long it had to wait for its turn. */
  readonly longest: number
  /** How often one looks. */
  readonly look: number
}

/** How many octets of a request's body must come in a second; null for one that is no upload. */
export type Slowest = (request: IncomingMessage) => number | null

/** An upload that is on its way. */
interface Upload {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly slowest: number
  readonly startedAt: number
  /** What its connection had read when it began. */
  readonly before: number
}

const answerTo = (code: string | undefined): string => {
  const end = (status: string, message: string) => {
    const body = JSON.stringify({ _tag: "BadRequestError", message })
    const head = `Content-Type: application/json\r\nContent-Length: ${body.length}\r\nConnection: close`
    return `HTTP/1.1 ${status}\r\n${head}\r\n\r\n${body}`
  }
  if (code === "ERR_HTTP_REQUEST_TIMEOUT") return end("408 Request Timeout", "The request did not come in time")
  if (code === "HPE_HEADER_OVERFLOW") {
    return end("431 Request Header Fields Too Large", "The headers of the request are too large")
  }
  return end("400 Bad Request", "The request is not well-formed HTTP")
}

/** What may be left to be read of the answer when the connection goes. */
const timeToRead = 1_000

/** What can't be read as HTTP, or does not come in time, has no route and no fiber: it still gets an answer. */
const refuse = (socket: Duplex, code: string | undefined) => {
  if (!socket.writable) return void socket.destroy()
  socket.end(answerTo(code))
  // Node has let go of it: whoever never ends it would keep it for ever.
  setTimeout(() => socket.destroy(), timeToRead).unref()
}

/**
 * Follows an upload that node would have cut off now, until it is there. What it waits for us to read is not its fault;
 * an answer that is given already needs no more of it.
 */
const follow = ({ before, request, response, slowest, startedAt }: Upload, socket: Socket, limits: RequestLimits) => {
  let looked = performance.now()
  let read = socket.bytesRead
  let movedAt = looked
  let spared = looked - startedAt
  const timer = setInterval(() => {
    if (request.complete || socket.destroyed) return clearInterval(timer)
    const now = performance.now()
    const waits = request.readableLength > 0
    if (waits) spared += now - looked
    if (waits || socket.bytesRead > read) movedAt = now
    looked = now
    read = socket.bytesRead
    const isBehind = read - before < ((now - startedAt - spared) / 1_000) * slowest
    const isSlow = (isBehind && !waits) || now - movedAt > limits.silence || now - startedAt > limits.longest
    if (!isSlow && !response.headersSent) return
    clearInterval(timer)
    if (response.headersSent) socket.destroy()
    else refuse(socket, "ERR_HTTP_REQUEST_TIMEOUT")
  }, limits.look)
  timer.unref()
}

/**
 * A server that cuts off who sends slowly, and lets uploads of known length come as slowly as that: they may last as
 * long as their octets keep coming.
 */
export const serverWithin = (limits: RequestLimits, slowest: Slowest): Server => {
  const uploads = new WeakMap<Duplex, Upload>()
  const server = createServer({
    headersTimeout: limits.headers,
    requestTimeout: limits.whole,
    keepAliveTimeout: 65_000,
    connectionsCheckingInterval: limits.look
  })
  server.on("request", (request, response) => {
    const least = request.headers["content-length"] === undefined ? null : slowest(request)
    if (least === null) return
    const { socket } = request
    uploads.set(socket, {
      request,
      response,
      slowest: least,
      startedAt: performance.now(),
      before: socket.bytesRead
    })
  })
  server.on("clientError", (error: NodeJS.ErrnoException, socket) => {
    const upload = uploads.get(socket)
    const isOnItsWay = upload !== undefined && !upload.request.complete && !upload.response.headersSent
    if (error.code === "ERR_HTTP_REQUEST_TIMEOUT" && isOnItsWay) return follow(upload, upload.request.socket, limits)
    refuse(socket, error.code)
  })
  return server
}
