import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from "node:http"
import type { Socket } from "node:net"
import type { Duplex } from "node:stream"
import { refuseSocket } from "./RefuseSocket.js"

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

/**
 * Follows an upload that node would have cut off now, until it is there. Its rate and its silence are measured in time
 * in which this process could have read it: not while it has octets unread, and not while the event loop is blocked. An
 * upload that is answered already is cut off.
 */
const follow = ({ before, request, response, slowest, startedAt }: Upload, socket: Socket, limits: RequestLimits) => {
  let looked = performance.now()
  let read = socket.bytesRead
  let readableFor = 0
  let silentFor = 0
  const timer = setInterval(() => {
    if (request.complete || socket.destroyed) return clearInterval(timer)
    const now = performance.now()
    const waits = request.readableLength > 0
    const passed = waits ? 0 : Math.min(now - looked, limits.look)
    readableFor += passed
    silentFor = waits || socket.bytesRead > read ? 0 : silentFor + passed
    looked = now
    read = socket.bytesRead
    const isBehind = read - before < (readableFor / 1_000) * slowest
    const isSlow = (isBehind && !waits) || silentFor > limits.silence || now - startedAt > limits.longest
    if (!isSlow && !response.headersSent) return
    clearInterval(timer)
    if (response.headersSent) socket.destroy()
    else refuseSocket(socket, "ERR_HTTP_REQUEST_TIMEOUT")
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
    connectionsCheckingInterval: limits.look,
    // The API responds to a request without Host itself.
    requireHostHeader: false
  })
  // The API responds to expectations: 100 Continue is sent once the key and the size have been checked.
  const pass: RequestListener = (request, response) => server.emit("request", request, response)
  server.on("checkContinue", pass).on("checkExpectation", pass)
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
    refuseSocket(socket, error.code)
  })
  return server
}
