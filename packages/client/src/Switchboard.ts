import { HttpApiClient, HttpClient, HttpClientRequest, type HttpClientResponse } from "@effect/platform"
import { Api } from "@switchboard/api"
import { Duration, Effect, Option, Redacted } from "effect"

/** How the client reaches a Switchboard. */
export interface SwitchboardOptions {
  /** The service's address, without `/v1`: `https://mail.example.com`. */
  readonly baseUrl: string
  readonly apiKey: Redacted.Redacted<string>
  /** How often a call that was told 429 waits as long as it was told and tries again; 0, the default, never. */
  readonly rateLimitRetries?: number
}

const tooManyRequests = 429

const waitOf = (response: HttpClientResponse.HttpClientResponse): Duration.Duration =>
  Duration.seconds(
    Option.getOrElse(
      Option.filter(Option.fromNullable(Number(response.headers["retry-after"])), (seconds) => seconds > 0),
      () => 1
    )
  )

/** Waits out 429 by the seconds that the answer names; whoever runs out of tries gets the `RateLimitedError`. */
const patient =
  (retries: number) =>
  <E, R>(client: HttpClient.HttpClient.With<E, R>): HttpClient.HttpClient.With<E, R> =>
    HttpClient.transform(client, (effect) => {
      const attempt = (left: number): typeof effect =>
        Effect.flatMap(effect, (response) =>
          response.status === tooManyRequests && left > 0
            ? Effect.zipRight(Effect.sleep(waitOf(response)), attempt(left - 1))
            : Effect.succeed(response)
        )
      return attempt(retries)
    })

/**
 * A client whose methods are the operations of the interface, typed by its declaration: `client.messages.send(…)`
 * fails with the tagged errors of that operation, and with nothing else but what the network itself may do.
 */
export const make = ({ apiKey, baseUrl, rateLimitRetries = 0 }: SwitchboardOptions) =>
  HttpApiClient.make(Api, {
    baseUrl,
    transformClient: (client) =>
      client.pipe(
        HttpClient.mapRequest(HttpClientRequest.setHeader("X-API-Key", Redacted.value(apiKey))),
        patient(rateLimitRetries)
      )
  })

/** The type of the client. */
export type Switchboard = Effect.Effect.Success<ReturnType<typeof make>>
