import { BadRequestError, type RateLimitedError, type ServiceUnavailableError } from "@switchboard/domain/Errors"
import type { EncodedEvent } from "@switchboard/domain/events/EventCatalog"
import { EventId, type EventType } from "@switchboard/domain/events/EventType"
import { subscribesTo } from "@switchboard/domain/events/SubscribesTo"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { Duration, Effect, Option, type Scope, Stream } from "effect"
import { concurrencyLimit } from "../ConcurrencyLimit.js"
import { type EventPosition, EventRepo } from "./EventRepo.js"
import { encodeEvents } from "./StoredEvent.js"

/** The request for a stream of events. */
export interface EventStreamRequest {
  /** Resume after this event; without it the stream begins at the present. */
  readonly lastEventId?: EventId | undefined
  /** The event types to include; without it all. */
  readonly types?: ReadonlyArray<string> | undefined
}

/** The result of one poll, often empty. */
export interface EventRound {
  readonly events: ReadonlyArray<EncodedEvent>
  /** The last event read, including those filtered out: a client that reconnects resumes after it. */
  readonly position: EventId
}

/** An open stream of an organization's events. */
export interface OpenEventStream {
  /** The event after which the stream begins. */
  readonly position: EventId
  /** The results of the polls. Empty ones are emitted too, so that the consumer can send heartbeats. */
  readonly rounds: Stream.Stream<EventRound>
}

/** An id before all events: a client that resumes after it receives all stored events. */
export const beforeAllEvents = EventId.make("00000000-0000-0000-0000-000000000000")

/** The maximum number of open streams of an organization in one process. */
export const maxStreams = 20

/** The maximum number of events of one poll. Their messages, including bodies, are read with them. */
const pageSize = 50

/** The pause between two polls. */
const pollPause = Duration.millis(300)
/** The pause while the database is unavailable. */
const outagePause = Duration.seconds(1)

interface Reader {
  readonly position: EventPosition | null
  /** The pause before the next poll. */
  readonly pause: Duration.Duration
}

const idOf = (position: EventPosition | null) => position?.id ?? beforeAllEvents

/**
 * Streams of events. A stream's only state is its position, so that a client can resume at any event in any process.
 */
export class EventStream extends Effect.Service<EventStream>()("services/EventStream", {
  effect: Effect.gen(function* () {
    const repo = yield* EventRepo
    const slot = yield* concurrencyLimit(maxStreams)

    const startOf = Effect.fnUntraced(function* (organization: OrganizationId, lastEventId: EventId | undefined) {
      if (lastEventId === undefined) return yield* repo.position(organization)
      if (lastEventId === beforeAllEvents) return null
      const found = yield* repo.positionOf(organization, lastEventId)
      return yield* Effect.mapError(
        found,
        () =>
          new BadRequestError({
            message: `The parameter Last-Event-ID is not a known event: ${lastEventId}. Without it the stream begins now, with ${beforeAllEvents} at the oldest event`
          })
      )
    })

    const readPage = (
      organization: OrganizationId,
      position: EventPosition | null,
      accepts: (type: EventType) => boolean
    ) =>
      repo.after(organization, position, pageSize, accepts).pipe(
        Effect.flatMap((page) =>
          Effect.map(encodeEvents(page.events), (events) => ({
            events,
            next: { position: page.position, pause: page.isFull ? Duration.zero : pollPause }
          }))
        ),
        // An outage only delays the stream: no event is lost.
        Effect.catchTag("ServiceUnavailableError", () =>
          Effect.succeed({ events: [], next: { position, pause: outagePause } })
        )
      )

    /** Opens a stream of an organization's events. Its slot is held until the scope closes. */
    const listen = Effect.fn("EventStream.listen")(function* (
      organization: OrganizationId,
      { lastEventId, types = ["*"] }: EventStreamRequest
    ): Effect.fn.Return<OpenEventStream, BadRequestError | RateLimitedError | ServiceUnavailableError, Scope.Scope> {
      yield* slot(organization)
      const start = yield* startOf(organization, lastEventId)
      const accepts = (type: EventType) => subscribesTo(types, type)
      const first: Reader = { position: start, pause: Duration.zero }
      return {
        position: idOf(start),
        rounds: Stream.unfoldEffect(first, ({ pause, position }) =>
          Effect.map(Effect.delay(readPage(organization, position, accepts), pause), ({ events, next }) =>
            Option.some([{ events, position: idOf(next.position) }, next] as const)
          )
        )
      }
    })

    return { listen } as const
  })
}) {}
