import { HttpClient, HttpClientResponse } from "@effect/platform"
import { make, type Switchboard } from "@switchboard/client"
import { Effect, Redacted, Ref } from "effect"

/** A request as a service gets it. */
export interface Heard {
  readonly method: string
  readonly url: string
  readonly body: unknown
}

const json = (body: unknown) => (typeof body === "string" ? body : JSON.stringify(body))

/** Calls a service that answers everything with this, and tells what it heard. */
export const answering = <A, E>(
  status: number,
  answer: unknown,
  call: (switchboard: Switchboard) => Effect.Effect<A, E>
) =>
  Effect.gen(function* () {
    const heard = yield* Ref.make<ReadonlyArray<Heard>>([])
    const service = HttpClient.make((request, url) =>
      Ref.update(heard, (before) => [
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
            new Response(json(answer), { status, headers: { "content-type": "application/json" } })
          )
        )
      )
    )
    const switchboard = yield* make({ baseUrl: "http://switchboard.test", apiKey: Redacted.make("very secret") }).pipe(
      Effect.provideService(HttpClient.HttpClient, service)
    )
    const exit = yield* Effect.either(call(switchboard))
    return { answer: exit, heard: yield* Ref.get(heard) }
  })
