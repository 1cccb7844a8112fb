import { randomUUID } from "node:crypto"
import { BlockList, isIP } from "node:net"
import { type HttpApiMiddleware, HttpServerResponse } from "@effect/platform"
import type { RateLimitedError } from "@switchboard/domain/Errors"
import { plainAddress } from "@switchboard/services/network/AddressNetwork"
import type { RateBudget } from "@switchboard/services/rateLimits/RateLimits"
import { Context, Effect, FiberRef, Option, type Ref } from "effect"

/** Settings of the HTTP server. */
export class HttpSettings extends Context.Tag("api/HttpSettings")<
  HttpSettings,
  {
    /** Trusted proxies (CIDRs): `X-Forwarded-For` is used only from these. */
    readonly trustedProxies: ReadonlyArray<string>
    /** Web origins that are allowed by CORS. */
    readonly corsOrigins: ReadonlyArray<string>
    /** Limit of the memory for request bodies, in bytes. */
    readonly bodyMemory: number
    /** Whether each request is logged at the level info, else at debug. */
    readonly accessLog: boolean
    /** Whether session cookies have the attribute `Secure`: the public URL is https. */
    readonly secureCookies: boolean
  }
>() {}

/** While `closing`, responses end their connections. While `draining`, requests are also rejected with 503. */
export type ServingPhase = "serving" | "closing" | "draining"

/** How far the server has stopped. */
export class Serving extends Context.Tag("api/Serving")<Serving, Ref.Ref<ServingPhase>>() {}

/** Returns a predicate: whether an address is in one of the networks (CIDR notation). */
export const isWithin = (cidrs: ReadonlyArray<string>) => {
  if (cidrs.length === 0) return () => false
  const list = new BlockList()
  for (const cidr of cidrs) {
    const [network = "", bits] = cidr.split("/")
    const family = isIP(network) === 6 ? "ipv6" : "ipv4"
    list.addSubnet(network, Number(bits ?? (family === "ipv6" ? 128 : 32)), family)
  }
  return (address: string) => isIP(address) !== 0 && list.check(address, isIP(address) === 6 ? "ipv6" : "ipv4")
}

/** The parts of a request that determine its client address. */
export interface AddressedRequest {
  readonly headers: Readonly<Record<string, string>>
  readonly remoteAddress: Option.Option<string>
}

/** The address of a hop, which some proxies write with its port, and IPv6 in brackets. */
const hopAddress = (hop: string): string => {
  const [, bracketed, ipv4] = /^\[([^\]]*)\](?::\d+)?$|^([\d.]+):\d+$/.exec(hop) ?? []
  return plainAddress(bracketed ?? ipv4 ?? hop)
}

/** The hops of `Forwarded` (RFC 7239): the parameter `for` of each element. */
const forwardedHops = (header: string): ReadonlyArray<string> =>
  header.split(",").flatMap((element) => {
    const [, quoted, token] = /(?:^|;)\s*for\s*=\s*(?:"([^"]*)"|([^;"\s]*))/i.exec(element) ?? []
    return quoted ?? token ?? []
  })

/**
 * The last address of `X-Forwarded-For`, or else of `Forwarded`, and the connection that is not a trusted proxy. A proxy
 * must replace or remove the header that it does not set.
 */
export const clientAddress = (request: AddressedRequest, isTrusted: (address: string) => boolean): string => {
  const socket = plainAddress(Option.getOrElse(request.remoteAddress, () => ""))
  const { forwarded = "", "x-forwarded-for": header } = request.headers
  const named = header === undefined ? forwardedHops(forwarded) : header.split(",")
  const hops = [...named.map((hop) => hopAddress(hop.trim())).filter((hop) => isIP(hop) !== 0), socket]
  return hops.reverse().find((hop) => !isTrusted(hop)) ?? socket
}

/** Security headers of every response: no sniffing, framing, caching or scripts. */
export const securityHeaders = {
  "cache-control": "no-store",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
  "cross-origin-resource-policy": "same-origin",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY"
}

/** The request id of the header `X-Request-Id`, if it is valid and has no API key, which must not be logged; else a new one. */
export const requestIdOf = (headers: Readonly<Record<string, string | undefined>>): string => {
  const requestId = headers["x-request-id"] ?? ""
  return /^(?!.*sk_sm_)[\w.-]{1,128}$/i.test(requestId) ? requestId : randomUUID()
}

/** The `RateLimit-*` headers of a budget. */
export const rateHeaders = ({ limit, remaining, resetSeconds }: RateBudget): Readonly<Record<string, string>> => ({
  "ratelimit-limit": String(limit),
  "ratelimit-remaining": String(Math.max(0, Math.floor(remaining))),
  "ratelimit-reset": String(resetSeconds)
})

/** The `RateLimit-*` headers of an exceeded limit. */
export const exceededHeaders = (limit: number, { retryAfterSeconds }: RateLimitedError) =>
  rateHeaders({ limit, remaining: 0, resetSeconds: retryAfterSeconds })

/** Changes a response before it is sent. */
type ResponseChange = (response: HttpServerResponse.HttpServerResponse) => HttpServerResponse.HttpServerResponse

/** What the handlers of a request leave for its response. */
export class RequestInProgress {
  private readonly headers: Record<string, string> = {}
  private readonly changes: Array<ResponseChange> = []
  private readonly listeners: Array<(status: number) => void> = []

  constructor(readonly requestId: string | null = null) {}

  addHeaders(headers: Readonly<Record<string, string>>): void {
    Object.assign(this.headers, headers)
  }

  /** Whether a handler has added a header. */
  hasHeader(name: string): boolean {
    return Object.hasOwn(this.headers, name)
  }

  change(change: ResponseChange): void {
    this.changes.push(change)
  }

  /** Calls a listener with the status of the response. */
  onEnd(listener: (status: number) => void): void {
    this.listeners.push(listener)
  }

  /** Calls the listeners. */
  end(status: number): void {
    for (const listener of this.listeners) listener(status)
  }

  /** The response with these headers, and with the headers and changes of the handlers. Ends the request. */
  complete(
    response: HttpServerResponse.HttpServerResponse,
    headers: Readonly<Record<string, string>>
  ): HttpServerResponse.HttpServerResponse {
    this.end(response.status)
    const withHeaders = HttpServerResponse.setHeaders(response, { ...headers, ...this.headers })
    return this.changes.reduce((changed, change) => change(changed), withHeaders)
  }
}

/** The request that a fiber serves. */
export class CurrentRequest extends Context.Tag("api/CurrentRequest")<CurrentRequest, RequestInProgress>() {}

const withCurrent = (use: (request: RequestInProgress) => void): Effect.Effect<void> =>
  Effect.map(Effect.serviceOption(CurrentRequest), Option.map(use))

/** Changes the response of the current request before it is sent. */
export const changeResponse = (change: ResponseChange) => withCurrent((request) => request.change(change))

/** Adds headers to the response of the current request. */
export const addHeaders = (headers: Readonly<Record<string, string>>) =>
  withCurrent((request) => request.addHeaders(headers))

/** Calls a listener with the status of the response to the current request. */
export const onEnd = (listener: (status: number) => void) => withCurrent((request) => request.onEnd(listener))

/** The services of middlewares are used before. */
type Middleware = HttpApiMiddleware.HttpApiMiddleware.AnyId

/**
 * Runs an effect with these services. The fiber keeps them: each request has its own fiber. `Effect.provide` restores the
 * earlier services, which costs nine times as many operations.
 */
export function withContext<A, E, R>(
  effect: Effect.Effect<A, E, R>,
  context: Context.Context<Exclude<R, Middleware>>
): Effect.Effect<A, E>
export function withContext(
  effect: Effect.Effect<unknown, unknown, unknown>,
  context: Context.Context<never>
): Effect.Effect<unknown, unknown, unknown> {
  return Effect.zipRight(FiberRef.set(FiberRef.currentContext, context), effect)
}
