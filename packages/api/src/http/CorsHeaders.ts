type CorsHeaders = Readonly<Record<string, string>>

const allowedHeaders =
  "content-type, authorization, x-api-key, idempotency-key, last-event-id, x-request-id, traceparent, tracestate, b3"
const exposedHeaders =
  "x-request-id, location, idempotent-replayed, link, total-estimated, retry-after, ratelimit-limit, ratelimit-remaining, ratelimit-reset"

/** The CORS headers of a response to an allowed origin. Undefined for other origins. */
export const corsHeaders =
  (allowedOrigins: ReadonlyArray<string>) =>
  (origin: string | undefined): CorsHeaders | undefined =>
    origin !== undefined && allowedOrigins.includes(origin)
      ? {
          "access-control-allow-origin": origin,
          "access-control-allow-headers": allowedHeaders,
          "access-control-allow-methods": "GET, POST, PUT, PATCH, DELETE",
          "access-control-expose-headers": exposedHeaders
        }
      : undefined

/** The `Vary` header of a response to an allowed origin, which may have one of its own. */
export const corsVary = (own: string | undefined): CorsHeaders => ({
  vary: own === undefined ? "origin" : `origin, ${own}`
})
