import { FetchHttpClient, HttpClient, HttpClientError, HttpClientRequest } from "@effect/platform"
import { Context, Effect, flow, Option, Redacted } from "effect"

/** The base URL and the API key of a service. */
export interface ServiceAccess {
  /** The URL without `/v1`: `https://mail.example.com`. */
  readonly baseUrl: string
  readonly apiKey: Redacted.Redacted<string>
}

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

/** Returns redirects as responses: `fetch` would follow them, and send the key to another host. */
const withoutRedirects = Effect.mapInputContext((context: Context.Context<never>) =>
  Context.add(context, FetchHttpClient.RequestInit, {
    ...Option.getOrUndefined(Context.getOption(context, FetchHttpClient.RequestInit)),
    redirect: "manual"
  })
)

/** An HTTP client that sends its requests to the service, with the API key. */
export const serviceClient = (http: HttpClient.HttpClient, { apiKey, baseUrl }: ServiceAccess): HttpClient.HttpClient =>
  http.pipe(
    HttpClient.mapRequest(
      flow(HttpClientRequest.prependUrl(baseUrl), HttpClientRequest.setHeader(keyHeader, Redacted.value(apiKey)))
    ),
    HttpClient.transformResponse(flow(withoutRedirects, Effect.mapError(redactKey)))
  )
