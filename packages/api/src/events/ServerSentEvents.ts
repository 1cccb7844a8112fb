import type { EncodedEvent } from "@switchboard/domain/events/EventCatalog"
import type { EventId } from "@switchboard/domain/events/EventType"
import type { OpenEventStream } from "@switchboard/services/events/EventStream"
import { Clock, Effect, Stream } from "effect"

/** After how long a client that lost its connection should come again, in milliseconds. */
const comeAgain = 1_000
/** Proxies and clients take a silence for a lost connection: after so many milliseconds something is said. */
const heartbeat = 15_000

/** An event in the form of the HTML standard. JSON has no line breaks of its own. */
export const serverSentEvent = (event: EncodedEvent): string =>
  `id: ${event.id}\nevent: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`

/** Where a client goes on when it is cut off now, though nothing was told. */
const whereabouts = (position: EventId) => `: here\nid: ${position}\nretry: ${comeAgain}\n\n`

/**
 * A stream of events as text. It begins with where it begins, and says where it is when it is quiet: whoever is cut off
 * before the first event misses nothing. It ends when it is over, which is asked before anything is told.
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
        Stream.mapAccumEffect(begun, (spoken, round) =>
          Effect.map(Clock.currentTimeMillis, (now): readonly [number, string] => {
            if (round.events.length > 0) return [now, round.events.map(serverSentEvent).join("")]
            return now - spoken >= heartbeat ? [now, whereabouts(round.position)] : [spoken, ""]
          })
        ),
        Stream.filter((text) => text !== ""),
        (told) => Stream.concat(Stream.make(whereabouts(position)), told)
      )
    )
  )
