import { HttpClient } from "@effect/platform"
import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import { eventFeed, type FeedItem, type FeedRequest } from "@switchboard/client/events/EventFeed"
import type { ServerSentEvent } from "@switchboard/client/events/SwitchboardEvent"
import { keyClient } from "@switchboard/client/ServiceClient"
import { DestinationGuard } from "@switchboard/services/network/DestinationGuard"
import { attemptTimeout, signedHeaders } from "@switchboard/services/webhooks/delivery/SignedPost"
import { type WebhookResponse, WebhookTransport } from "@switchboard/services/webhooks/delivery/WebhookTransport"
import { Console, DateTime, Effect, Layer, type Redacted, Ref, Stream } from "effect"
import { noConnection, type ServiceAccess } from "../access/ServiceAccess.js"
import { AnyDestination } from "../layers/UseCases.js"

/** Posts an event as its webhook would be posted, once: a failure is printed and not retried. */
const forward = Effect.fnUntraced(function* (url: string, secret: Redacted.Redacted, { data, id }: ServerSentEvent) {
  const { post } = yield* WebhookTransport
  const headers = yield* signedHeaders({ id, body: data }, [secret])
  return yield* post({ url, headers, body: data, timeout: attemptTimeout })
})

/** The outcome of a post, for one line of output. */
const outcome = (response: WebhookResponse): string =>
  response._tag === "Responded"
    ? `${response.status}  ${response.durationMs} ms`
    : `failed  ${response.durationMs} ms  ${response.error}`

/** The event stream and its destination. */
export interface Listening extends ServiceAccess {
  readonly types: FeedRequest["types"]
  readonly forwardTo: string
  /** `whsec_…` */
  readonly secret: Redacted.Redacted
}

/**
 * Posts events in order as they occur, until it is interrupted or the service refuses it. A lost connection is
 * reconnected, but the first one must succeed. Prints one line per event.
 */
export const listen = Effect.fnUntraced(
  function* ({ apiKey, baseUrl, forwardTo, secret, types }: Listening) {
    const guard = yield* DestinationGuard
    yield* guard.checkUrl(forwardTo)
    const http = keyClient(yield* HttpClient.HttpClient, { apiKey, baseUrl })
    const connection = yield* Ref.make<"none" | "open" | "lost">("none")

    const print = Effect.fnUntraced(function* (item: FeedItem) {
      switch (item._tag) {
        case "Connected": {
          const before = yield* Ref.getAndSet(connection, "open")
          if (before !== "open")
            yield* Console.log(`${before === "none" ? "Listening" : "Listening again"} to ${baseUrl}`)
          return
        }
        case "Lost": {
          const before = yield* Ref.getAndSet(connection, "lost")
          if (before === "none") {
            return yield* noConnection(baseUrl, item.reason)
          }
          if (before !== "lost") yield* Console.log(`No connection to ${baseUrl} (${item.reason}): retrying`)
          return
        }
        case "Event": {
          const response = yield* forward(forwardTo, secret, item)
          const now = yield* DateTime.now
          yield* Console.log(`${DateTime.formatIso(now)}  ${item.type}  ${outcome(response)}`)
        }
      }
    })

    yield* Stream.runForEach(eventFeed(http, types === undefined ? {} : { types }), print)
  },
  Effect.provide(Layer.merge(AnyDestination, NodeHttpClient.layerUndici))
)
