import { makeParser } from "@effect/experimental/Sse"
import { Effect, Predicate, Stream } from "effect"
import { ConnectionLost, type FeedItem } from "./FeedItem.js"

/** The parser searches every line from the start of its buffer: with one line at a time, its work stays linear. */
const afterLine = /(?<=\n)/

/** Parses the text of one connection as server-sent events. An event that is cut off at the end is dropped. */
export const parseEvents = <E>(text: Stream.Stream<string, E>): Stream.Stream<FeedItem, E | ConnectionLost> =>
  Stream.suspend(() => {
    let items: Array<FeedItem> = []
    const parser = makeParser((event) => {
      if (event._tag === "Event") items.push({ _tag: "Event", id: event.id ?? "", type: event.event, data: event.data })
      // With `retry`, the service sends the current position of the stream.
      else if (event.lastEventId !== undefined) items.push({ _tag: "Connected", id: event.lastEventId })
    })
    return text.pipe(
      Stream.mapEffect((part) =>
        Effect.suspend(() => {
          const failure = part.split(afterLine).map(parser.feed).find(Predicate.isNotUndefined)
          const parsed = items
          items = []
          return failure === undefined ? Effect.succeed(parsed) : new ConnectionLost({ reason: failure.message })
        })
      ),
      Stream.flattenIterables
    )
  })
