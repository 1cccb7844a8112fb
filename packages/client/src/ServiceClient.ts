import { HttpClient, HttpClientError, HttpClientRequest } from "@effect/platform"
import { Effect, flow, Redacted } from "effect"

/** The address and the key of a service. */
export interface ServiceAccess {
  /** Without `/v1`: `https://mail.example.com`. */
  readonly baseUrl: string
  readonly apiKey: Redacted.Redacted<string>
}

const keyHeader = "x-api-key"

/** Errors are logged together with their request. */
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

/** The HTTP client whose requests go to this service, with its key. */
export const serviceClient = (http: HttpClient.HttpClient, { apiKey, baseUrl }: ServiceAccess): HttpClient.HttpClient =>
  http.pipe(
    HttpClient.mapRequest(
      flow(HttpClientRequest.prependUrl(baseUrl), HttpClientRequest.setHeader(keyHeader, Redacted.value(apiKey)))
    ),
    HttpClient.transformResponse(Effect.mapError(redactKey))
  )
