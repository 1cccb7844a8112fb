import { randomUUID } from "node:crypto"
import { HttpApp, HttpServerResponse } from "@effect/platform"
import type { RateLimitedError } from "@switchboard/domain/Errors"
import type { RateBudget } from "@switchboard/services/rateLimits/RateLimits"
import { Effect } from "effect"

/** Headers of every answer, suited to an API: nothing is guessed, framed, cached or run. */
export const security = {
  "cache-control": "no-store",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
  "cross-origin-resource-policy": "same-origin",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY"
}

/** A caller's own request id, if it is a sane one. */
export const requestIdOf = (headers: Readonly<Record<string, string | undefined>>): string => {
  const given = headers["x-request-id"] ?? ""
  return /^[\w.-]{1,128}$/.test(given) ? given : randomUUID()
}

/** What is left of a rate, as headers say it. */
export const rateHeaders = ({ limit, remaining, resetSeconds }: RateBudget): Readonly<Record<string, string>> => ({
  "ratelimit-limit": String(limit),
  "ratelimit-remaining": String(Math.max(0, Math.floor(remaining))),
  "ratelimit-reset": String(resetSeconds)
})

/** What they say where nothing is left. */
export const exceededHeaders = (limit: number, { retryAfterSeconds }: RateLimitedError) =>
  rateHeaders({ limit, remaining: 0, resetSeconds: retryAfterSeconds })

/** Changes the response of the current request before it is sent. */
export const changeResponse = (
  change: (response: HttpServerResponse.HttpServerResponse) => HttpServerResponse.HttpServerResponse
) => HttpApp.appendPreResponseHandler((_, response) => Effect.succeed(change(response)))

/** Adds headers to the response of the current request. */
export const addHeaders = (headers: Readonly<Record<string, string>>) =>
  changeResponse((response) => HttpServerResponse.setHeaders(response, headers))
