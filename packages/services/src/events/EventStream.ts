import { BadRequestError, RateLimitedError, type ServiceUnavailableError } from "@switchboard/domain/Errors"
import type { EncodedEvent } from "@switchboard/domain/events/EventCatalog"
import { EventId, type EventType } from "@switchboard/domain/events/EventType"
import { subscribesTo } from "@switchboard/domain/events/SubscribesTo"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { Duration, Effect, HashMap, Option, Ref, type Scope, Stream } from "effect"
import { encodeEvents } from "./EncodeEvent.js"
import { type EventPosition, EventRepo } from "./EventRepo.js"

/** What somebody wants to hear. */
export interface EventStreamRequest {
  /** The last event that was heard; without it the stream begins now. */
  readonly lastEventId?: EventId | undefined
  /** Without any, everything. */
  readonly types?: ReadonlyArray<string> | undefined
}

/** What one look found, often nothing. */
export interface EventRound {
  readonly events: ReadonlyArray<EncodedEvent>
  /** The last event that was looked at, told or not: whoever is cut off now goes on from here. */
  readonly position: EventId
}

/** An organization's events as they come. */
export interface OpenEventStream {
  /** After which event it begins. */
  readonly position: EventId
  /** Look after look, so that its reader has a say every now and then. */
  readonly rounds: Stream.Stream<EventRound>
}

/** Comes before every event: who says to have heard it last gets all that are kept. */
export const beforeAllEvents = EventId.make("00000000-0000-0000-0000-000000000000")

/** Streams that an organization may have open on one process. */
export const mostStreams = 20

/** After how long somebody who has too many may ask again. */
const retryAfterSeconds = 5

/** Events of one look: the bodies of their messages are read along with them. */
const pageSize = 50

/** How long it is quiet between two looks. */
const quiet = Duration.millis(300)
/** How long a database that could not be reached is left alone. */
const away = Duration.seconds(1)

interface Reader {
  readonly position: EventPosition | null
  /** Before the next look. */
  readonly pause: Duration.Duration
}

const idOf = (position: EventPosition | null) => position?.id ?? beforeAllEvents

/** Streams of events. All that one knows is where it is: it can be cut off at any event, and go on on any process. */
export class EventStream extends Effect.Service<EventStream>()("services/EventStream", {
  effect: Effect.gen(function* () {
    const repo = yield* EventRepo
    const open = yield* Ref.make(HashMap.empty<OrganizationId, number>())

    const change = (organization: OrganizationId, by: number) =>
      Ref.modify(open, (counts) => {
        const count = Option.getOrElse(HashMap.get(counts, organization), () => 0) + by
        return [count, count === 0 ? HashMap.remove(counts, organization) : HashMap.set(counts, organization, count)]
      })

    /** One of the organization's places, until the scope closes. */
    const place = (organization: OrganizationId) =>
      Effect.flatMap(
        Effect.acquireRelease(change(organization, 1), () => change(organization, -1)),
        (count) => (count > mostStreams ? new RateLimitedError({ retryAfterSeconds }) : Effect.void)
      )

    const startOf = Effect.fnUntraced(function* (organization: OrganizationId, lastEventId: EventId | undefined) {
      if (lastEventId === undefined) return yield* repo.position(organization)
      if (lastEventId === beforeAllEvents) return null
      const found = yield* repo.positionOf(organization, lastEventId)
      return yield* Effect.mapError(
        found,
        () =>
          new BadRequestError({
            message: `The parameter Last-Event-ID is not an event that is known: ${lastEventId}. Without it the stream begins now, with ${beforeAllEvents} at the oldest event`
          })
      )
    })

    const look = (organization: OrganizationId, position: EventPosition | null, wants: (type: EventType) => boolean) =>
      repo.after(organization, position, pageSize, wants).pipe(
        Effect.flatMap((page) =>
          Effect.map(encodeEvents(page.events), (events) => ({
            events,
            next: { position: page.position, pause: page.isFull ? Duration.zero : quiet }
          }))
        ),
        // Whoever listens need not know: nothing is lost by a look that found nobody.
        Effect.catchTag("ServiceUnavailableError", () =>
          Effect.succeed({ events: [], next: { position, pause: away } })
        )
      )

    /** Begins to tell an organization's events. Its place is taken until the scope closes. */
    const listen = Effect.fn("EventStream.listen")(function* (
      organization: OrganizationId,
      { lastEventId, types = ["*"] }: EventStreamRequest
    ): Effect.fn.Return<OpenEventStream, BadRequestError | RateLimitedError | ServiceUnavailableError, Scope.Scope> {
      yield* place(organization)
      const start = yield* startOf(organization, lastEventId)
      const wants = (type: EventType) => subscribesTo(types, type)
      const first: Reader = { position: start, pause: Duration.zero }
      return {
        position: idOf(start),
        rounds: Stream.unfoldEffect(first, ({ pause, position }) =>
          Effect.map(Effect.delay(look(organization, position, wants), pause), ({ events, next }) =>
            Option.some([{ events, position: idOf(next.position) }, next] as const)
          )
        )
      }
    })

    return { listen } as const
  })
}) {}
