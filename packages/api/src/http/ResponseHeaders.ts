import { randomUUID } from "node:crypto"
import type { RateLimitedError } from "@switchboard/domain/Errors"
import type { RateBudget } from "@switchboard/services/rateLimits/RateLimits"

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
