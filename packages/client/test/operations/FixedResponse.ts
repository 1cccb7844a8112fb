import { HttpClient, HttpClientResponse } from "@effect/platform"
import { make, type Switchboard } from "@switchboard/client"
import { Effect, Redacted, Ref } from "effect"

/** A request that the service received. */
export interface ReceivedRequest {
  readonly method: string
  readonly url: string
  readonly body: unknown
}

const json = (body: unknown) => (typeof body === "string" ? body : JSON.stringify(body))

/** Calls a service with a fixed response, and records its requests. */
export const responding = <A, E>(
  status: number,
  body: unknown,
  call: (switchboard: Switchboard) => Effect.Effect<A, E>
) =>
  Effect.gen(function* () {
    const requests = yield* Ref.make<ReadonlyArray<ReceivedRequest>>([])
    const service = HttpClient.make((request, url) =>
      Ref.update(requests, (before) => [
        ...before,
        {
          method: request.method,
          url: url.href,
          body: request.body._tag === "Uint8Array" ? JSON.parse(new TextDecoder().decode(request.body.body)) : null
        }
      ]).pipe(
        Effect.as(
          HttpClientResponse.fromWeb(
            request,
            new Response(json(body), { status, headers: { "content-type": "application/json" } })
          )
        )
      )
    )
    const switchboard = yield* make({ baseUrl: "http://switchboard.test", apiKey: Redacted.make("very secret") }).pipe(
      Effect.provideService(HttpClient.HttpClient, service)
    )
    const exit = yield* Effect.either(call(switchboard))
    return { result: exit, requests: yield* Ref.get(requests) }
  })
