import { makeParser } from "@effect/experimental/Sse"
import { Effect, Stream } from "effect"
import { ConnectionLost, type FeedItem } from "./FeedItem.js"

/** What the text of one connection says. What was not finished when it was cut off was not said. */
export const parseEvents = <E>(text: Stream.Stream<string, E>): Stream.Stream<FeedItem, E | ConnectionLost> =>
  Stream.suspend(() => {
    let items: Array<FeedItem> = []
    const parser = makeParser((said) => {
      if (said._tag === "Event") items.push({ _tag: "Told", id: said.id ?? "", type: said.event, data: said.data })
      // With the time to come again in, the service says where the stream stands.
      else if (said.lastEventId !== undefined) items.push({ _tag: "Standing", id: said.lastEventId })
    })
    return text.pipe(
      Stream.mapEffect((part) =>
        Effect.suspend(() => {
          const failure = parser.feed(part)
          const said = items
          items = []
          return failure === undefined ? Effect.succeed(said) : new ConnectionLost({ reason: failure.message })
        })
      ),
      Stream.flattenIterables
    )
  })
