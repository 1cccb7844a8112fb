import type { EncodedEvent } from "@switchboard/domain/events/EventCatalog"
import type { EventId } from "@switchboard/domain/events/EventType"
import type { OpenEventStream } from "@switchboard/services/events/EventStream"
import { Clock, Effect, Stream } from "effect"

/** The delay after which a client reconnects, in milliseconds. */
const reconnectDelay = 1_000

/** The interval of comments in a quiet stream, in milliseconds. Proxies and clients close silent connections. */
const heartbeatInterval = 15_000

/** An event in the format of the HTML standard. Serialized JSON has no line breaks. */
export const serverSentEvent = (event: EncodedEvent): string =>
  `id: ${event.id}\nevent: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`

/** A comment with the current position, after which a client continues when it reconnects. */
const positionComment = (position: EventId) => `: here\nid: ${position}\nretry: ${reconnectDelay}\n\n`

/**
 * A stream of events as text. It starts with its position, and repeats it while there are no events, so that a client
 * that loses the connection before the first event misses none. `isOver` is checked before each batch.
 */
export const serverSentEvents = <E, R>(
  { position, rounds }: OpenEventStream,
  isOver: Effect.Effect<boolean, E, R>
): Stream.Stream<string, E, R> =>
  Stream.unwrap(
    Effect.map(Clock.currentTimeMillis, (begun) =>
      rounds.pipe(
        Stream.mapEffect((round) => Effect.map(isOver, (over) => (over ? null : round))),
        Stream.takeWhile((round) => round !== null),
        Stream.mapAccumEffect(begun, (lastSentAt, round) =>
          Effect.map(Clock.currentTimeMillis, (now): readonly [number, string] => {
            if (round.events.length > 0) return [now, round.events.map(serverSentEvent).join("")]
            return now - lastSentAt >= heartbeatInterval ? [now, positionComment(round.position)] : [lastSentAt, ""]
          })
        ),
        Stream.filter((text) => text !== ""),
        (texts) => Stream.concat(Stream.make(positionComment(position)), texts)
      )
    )
  )
