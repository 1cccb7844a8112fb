import { FetchHttpClient, HttpClient, HttpClientError, HttpClientRequest } from "@effect/platform"
import { Context, Effect, flow, Option, Redacted } from "effect"
import { withCsrfToken } from "./CsrfToken.js"

/** The base URL of a service, and an API key or the session of the browser. */
export type ServiceAccess<Key = Redacted.Redacted<string>> = {
  /** The URL of the service, with or without `/v1`: `https://mail.example.com`. */
  readonly baseUrl: string
} & (
  | { readonly apiKey: Key; readonly session?: never }
  /** Uses the session cookie of the browser, with its CSRF token, for a page of the same origin as the service. */
  | { readonly session: true; readonly apiKey?: never }
)

const keyHeader = "x-api-key"

/** Redacts the key in the request of an error: applications log both together. */
const redactKey = (error: HttpClientError.HttpClientError) => {
  if (error._tag !== "RequestError") return error
  const { cause, description, reason, request } = error
  return new HttpClientError.RequestError({
    request: HttpClientRequest.setHeader(request, keyHeader, "<redacted>"),
    reason,
    cause,
    ...(description === undefined ? {} : { description })
  })
}

const withFetchOptions = (options: RequestInit) =>
  Effect.mapInputContext((context: Context.Context<never>) =>
    Context.add(context, FetchHttpClient.RequestInit, {
      ...Option.getOrUndefined(Context.getOption(context, FetchHttpClient.RequestInit)),
      ...options
    })
  )

/** Returns redirects as responses: `fetch` would follow them, and send the key to another host. */
const withoutRedirects: RequestInit = { redirect: "manual" }

/** The base URL without its version segment, which the paths of the operations have. */
const withoutVersion = (baseUrl: string): string => baseUrl.replace(/\/+$/, "").replace(/\/v1$/, "")

const prependBaseUrl = (baseUrl: string) => HttpClientRequest.prependUrl(withoutVersion(baseUrl))

/** An HTTP client that sends its requests to the service, with the API key. */
export const keyClient = (
  http: HttpClient.HttpClient,
  { apiKey, baseUrl }: { readonly baseUrl: string; readonly apiKey: Redacted.Redacted<string> }
): HttpClient.HttpClient =>
  http.pipe(
    HttpClient.mapRequest(
      flow(prependBaseUrl(baseUrl), HttpClientRequest.setHeader(keyHeader, Redacted.value(apiKey)))
    ),
    HttpClient.transformResponse(flow(withFetchOptions(withoutRedirects), Effect.mapError(redactKey)))
  )

/** An HTTP client that sends its requests to the service, with the session cookie and its CSRF token. */
const sessionClient = (http: HttpClient.HttpClient, baseUrl: string): Effect.Effect<HttpClient.HttpClient> =>
  http.pipe(
    HttpClient.mapRequest(prependBaseUrl(baseUrl)),
    HttpClient.transformResponse(withFetchOptions({ ...withoutRedirects, credentials: "same-origin" })),
    withCsrfToken
  )

/** An HTTP client that sends its requests to the service, with the API key or the session. */
export const serviceClient = (
  http: HttpClient.HttpClient,
  access: ServiceAccess
): Effect.Effect<HttpClient.HttpClient> =>
  access.session === true ? sessionClient(http, access.baseUrl) : Effect.succeed(keyClient(http, access))
