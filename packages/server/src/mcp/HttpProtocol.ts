import * as McpServer from "@effect/ai/McpServer"
import { type HttpApp, type HttpServerError, HttpServerRequest, HttpServerResponse } from "@effect/platform"
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import { readWithin } from "@switchboard/api/http/body/RequestBody"
import { respondError } from "@switchboard/api/http/ErrorResponse"
import { pathOf } from "@switchboard/api/http/RequestParameters"
import { isEqual } from "@switchboard/channels/network/ProviderHttp"
import {
  BadRequestError,
  ForbiddenError,
  ResourceNotFoundError,
  ServiceUnavailableError,
  UnauthorizedError
} from "@switchboard/domain/Errors"
import { Console, Effect, Either, Option, Predicate, Redacted, type Scope } from "effect"
import { serverWithin } from "../http/RequestLimits.js"
import { CommandFailed } from "../run/Run.js"
import { isLoopback, listenerUrl } from "../settings/BaseUrl.js"
import { maxOpenCalls } from "./AgentTool.js"
import { errorResponse, maxMessageBytes, notOneMessage, parseMessage } from "./JsonRpc.js"

/** The path of the endpoint. */
const endpoint = "/mcp"

/** The protocol versions that the library negotiates. */
const versions = ["2025-06-18", "2025-03-26", "2024-11-05", "2024-10-07"]

/** In milliseconds. */
const limits = {
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  idleTimeout: 10_000,
  maxUploadTime: 30_000,
  checkInterval: 1_000,
  keepAliveTimeout: 5_000
}

const maxConnections = 256

/** Whether `Host` names this host: a page of another site can't send that with its own name (DNS rebinding). */
const isLocalHost = (host = "") => {
  const [, bracketed, plain = ""] = /^(?:\[([^\]]+)\]|([^:]+))(?::\d+)?$/.exec(host.toLowerCase()) ?? []
  return isLoopback(bracketed ?? plain)
}

/** Whether `Origin` (RFC 6454) is a page of this host. */
const isLocalOrigin = (origin: string) => {
  const [, host] = /^https?:\/\/([^/]+)$/i.exec(origin) ?? []
  return isLocalHost(host)
}

const methodNotAllowed = HttpServerResponse.setHeader(
  HttpServerResponse.setStatus(
    respondError(new BadRequestError({ message: "Send messages with POST: the server has no stream and no sessions" })),
    405
  ),
  "allow",
  "POST"
)

/** Whether a client accepts responses in JSON. Without the header it accepts any. */
const acceptsJson = (accept: string | undefined) =>
  accept === undefined || /(?:^|,)\s*(?:application\/(?:json|\*)|\*\/\*)\s*(?:;|,|$)/i.test(accept)

/** The response to a request whose body is not read, by its headers. Null: it may have a message. */
const refusal = (
  { headers, method, url }: HttpServerRequest.HttpServerRequest,
  key: Redacted.Redacted
): HttpServerResponse.HttpServerResponse | null => {
  const { accept, authorization = "", host, "mcp-protocol-version": version, origin } = headers
  if (!isLocalHost(host)) {
    return respondError(new ForbiddenError({ message: "The header Host must be localhost or a loopback address" }))
  }
  if (origin !== undefined && !isLocalOrigin(origin)) {
    return respondError(new ForbiddenError({ message: "The header Origin must be localhost or a loopback address" }))
  }
  if (pathOf(url) !== endpoint) return respondError(new ResourceNotFoundError({ resource: "route", id: pathOf(url) }))
  if (!isEqual(authorization.replace(/^Bearer +/i, ""), Redacted.value(key)) || !/^Bearer /i.test(authorization)) {
    return respondError(
      new UnauthorizedError({ message: "The header Authorization must be Bearer with the API key of the command" })
    )
  }
  if (method !== "POST") return methodNotAllowed
  if (version !== undefined && !versions.includes(version)) {
    return respondError(
      new BadRequestError({ message: `The header MCP-Protocol-Version must be one of ${versions.join(", ")}` })
    )
  }
  return acceptsJson(accept)
    ? null
    : HttpServerResponse.setStatus(
        respondError(new BadRequestError({ message: "The header Accept must include application/json" })),
        406
      )
}

/** Memory for a body. Its size and the number of requests are bounded. */
const reserve = (bytes: number) => {
  let reserved = bytes
  const resize = (next: number) => {
    reserved = next
    return true
  }
  return Effect.succeed({ bytes: () => reserved, resize, release: () => undefined })
}

const accepted = HttpServerResponse.empty({ status: 202 })

/** Whether a message is a notification or a response, which has no response. */
const hasNoResponse = (message: Readonly<Record<string, unknown>>) =>
  Predicate.isString(message.method) ? message.id === undefined : "result" in message || "error" in message

/** Responds to one message in the body, by the library's endpoint. */
const respond = Effect.fnUntraced(function* (
  app: HttpApp.Default<never, Scope.Scope>,
  request: HttpServerRequest.HttpServerRequest,
  initialized: Set<number>
) {
  const body = yield* readWithin(request, { limit: maxMessageBytes, mediaType: "application/json" }, reserve)
  const message = parseMessage(body)
  if (Either.isLeft(message)) return HttpServerResponse.unsafeJson(errorResponse(message.left), { status: 400 })
  if (!Predicate.isRecord(message.right)) return HttpServerResponse.unsafeJson(notOneMessage, { status: 400 })
  const read = HttpServerRequest.fromWeb(new Request(listenerUrl("127.0.0.1", 80), { method: "POST", body }))
  const response = yield* Effect.provideService(app, HttpServerRequest.HttpServerRequest, read)
  // Each request is a client of the library, and without streams none of them gets notifications.
  initialized.clear()
  return hasNoResponse(message.right) ? accepted : response
})

const busy = new ServiceUnavailableError({
  message: `More than ${maxOpenCalls} requests are open: repeat the request later`,
  retryAfterSeconds: 1
})

/** The endpoint (Streamable HTTP of revision 2025-06-18), with the bounds of calls over standard input. */
const guarded = (app: HttpApp.Default<never, Scope.Scope>, key: Redacted.Redacted) =>
  Effect.gen(function* () {
    const { initializedClients } = yield* McpServer.McpServer
    const requests = yield* Effect.makeSemaphore(maxOpenCalls)
    return Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) => {
      const refused = refusal(request, key)
      if (refused !== null) return Effect.succeed(refused)
      return respond(app, request, initializedClients).pipe(
        Effect.catchAll((error) => Effect.succeed(respondError(error))),
        requests.withPermitsIfAvailable(1),
        Effect.map(Option.getOrElse(() => respondError(busy)))
      )
    })
  })

/** Serves on one address, until the scope ends. Returns the port. */
const listenOn = (app: HttpApp.Default<never, Scope.Scope>, host: string, port: number) =>
  Effect.gen(function* () {
    const server = serverWithin(limits, () => null)
    server.maxConnections = maxConnections
    const { address, serve } = yield* NodeHttpServer.make(() => server, { host, port })
    // Calls of clients end with the command: the platform would wait for them.
    yield* Effect.addFinalizer(() => Effect.sync(() => server.closeAllConnections()))
    yield* serve(app)
    return address._tag === "TcpAddress" ? address.port : port
  })

const listenFailed =
  (host: string, port: number) =>
  ({ cause }: HttpServerError.ServeError) =>
    new CommandFailed({
      message: `The command can't listen on ${listenerUrl(host, port)} (${cause instanceof Error ? cause.message : String(cause)}): pass another port with --http`
    })

const hasNoIpv6 = ({ cause }: HttpServerError.ServeError) =>
  Predicate.hasProperty(cause, "code") && (cause.code === "EADDRNOTAVAIL" || cause.code === "EAFNOSUPPORT")

/**
 * Serves the endpoint on both loopback addresses. `localhost` can be either of them, so that another program on the second
 * one would get the key.
 */
export const serveLoopback = (app: HttpApp.Default<never, Scope.Scope>, key: Redacted.Redacted, port: number) =>
  Effect.gen(function* () {
    const endpointApp = yield* guarded(app, key)
    const bound = yield* Effect.mapError(listenOn(endpointApp, "127.0.0.1", port), listenFailed("127.0.0.1", port))
    yield* listenOn(endpointApp, "::1", bound).pipe(
      Effect.asVoid,
      Effect.catchIf(hasNoIpv6, () => Effect.logInfo("This host has no IPv6: the command listens on 127.0.0.1 only")),
      Effect.mapError(listenFailed("::1", bound))
    )
    yield* Console.log(`Switchboard serves ${listenerUrl("127.0.0.1", bound)}${endpoint} to agents`)
  })
