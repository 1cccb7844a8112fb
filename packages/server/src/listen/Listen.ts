import { HttpClient } from "@effect/platform"
import { eventFeed, type FeedRequest } from "@switchboard/client/events/EventFeed"
import type { FeedItem } from "@switchboard/client/events/FeedItem"
import { serviceClient } from "@switchboard/client/ServiceClient"
import { DestinationGuard } from "@switchboard/services/network/DestinationGuard"
import { Console, DateTime, Effect, type Redacted, Ref, Stream } from "effect"
import { forward, outcome } from "./Forwarding.js"

/** What is listened to, and where it goes. */
export interface Listening {
  /** The service's address. */
  readonly url: string
  readonly apiKey: Redacted.Redacted
  readonly types: FeedRequest["types"]
  readonly forwardTo: string
  /** `whsec_…` */
  readonly secret: Redacted.Redacted
}

/** Hands events on, one after the other as they happen, until it is interrupted or refused. One line says what became of each. */
export const listen = Effect.fnUntraced(function* ({ apiKey, forwardTo, secret, types, url }: Listening) {
  const guard = yield* DestinationGuard
  yield* guard.checkUrl(forwardTo)
  const http = serviceClient(yield* HttpClient.HttpClient, { apiKey, baseUrl: url })
  const connection = yield* Ref.make<"none" | "stands" | "lost">("none")

  const say = Effect.fnUntraced(function* (item: FeedItem) {
    switch (item._tag) {
      case "Standing": {
        const before = yield* Ref.getAndSet(connection, "stands")
        if (before !== "stands") yield* Console.log(`${before === "none" ? "Listening" : "Listening again"} to ${url}`)
        return
      }
      case "Lost": {
        const before = yield* Ref.getAndSet(connection, "lost")
        if (before !== "lost") yield* Console.log(`No connection to ${url} (${item.reason}): it is tried again`)
        return
      }
      case "Told": {
        const answer = yield* forward(forwardTo, secret, item)
        const now = yield* DateTime.now
        yield* Console.log(`${DateTime.formatIso(now)}  ${item.type}  ${outcome(answer)}`)
      }
    }
  })

  yield* Stream.runForEach(eventFeed(http, types === undefined ? {} : { types }), say)
})
