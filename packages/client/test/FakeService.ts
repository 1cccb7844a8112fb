import { HttpClient, type HttpClientRequest, HttpClientResponse } from "@effect/platform"
import { make, type Switchboard } from "@switchboard/client"
import { Effect, Redacted } from "effect"

/** A response with JSON. */
export const json = (body: unknown, status = 200, headers: Readonly<Record<string, string>> = {}) =>
  new Response(typeof body === "string" ? body : JSON.stringify(body), {
    status,
    headers: { "content-type": "application/json", ...headers }
  })

/** A client of a service with these responses by the number of earlier requests, and the received requests. */
export const clientOf = (
  respond: (earlier: number) => Response,
  options: { readonly baseUrl?: string; readonly retries?: number } = {}
) =>
  Effect.gen(function* () {
    const requests: Array<{ readonly url: URL; readonly request: HttpClientRequest.HttpClientRequest }> = []
    const service = HttpClient.make((request, url) =>
      Effect.sync(() => HttpClientResponse.fromWeb(request, respond(requests.push({ url, request }) - 1)))
    )
    const switchboard = yield* Effect.provideService(
      make({ baseUrl: "http://switchboard.test", apiKey: Redacted.make("very secret"), ...options }),
      HttpClient.HttpClient,
      service
    )
    return { requests, switchboard }
  })

/** Calls a service with a fixed response, and records its requests. */
export const responding = <A, E>(
  status: number,
  body: unknown,
  call: (switchboard: Switchboard) => Effect.Effect<A, E>
) =>
  Effect.gen(function* () {
    const { requests, switchboard } = yield* clientOf(() => json(body, status))
    const result = yield* Effect.either(call(switchboard))
    const received = requests.map(({ request: { body: sent, method }, url }) => ({
      method,
      url: url.href,
      body: sent._tag === "Uint8Array" ? JSON.parse(new TextDecoder().decode(sent.body)) : null
    }))
    return { result, requests: received }
  })
