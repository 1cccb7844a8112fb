import { type HttpClient, HttpClientRequest, HttpClientResponse } from "@effect/platform"
import { BadRequestError, ForbiddenError, ResourceNotFoundError, UnauthorizedError } from "@switchboard/domain/Errors"
import type { Subscription } from "@switchboard/domain/events/EventType"
import { Duration, Effect, Random, Ref, Schema, Stream } from "effect"
import { retryAfterOf } from "../RetryAfter.js"
import { ConnectionLost, type FeedItem } from "./FeedItem.js"
import { parseEvents } from "./ParseEvents.js"

/** What to follow, of a service that may know more events than this client. */
export interface FeedRequest {
  /** The last event that was heard; without it, what happens from now on. */
  readonly lastEventId?: string
  /** Names of events, groups like `message.*`, or `*`; without them everything. */
  readonly types?: ReadonlyArray<string>
}

/** What to follow, of the events that this client knows. */
export interface EventsRequest extends FeedRequest {
  readonly types?: ReadonlyArray<Subscription>
}

/** Answers that stay the same however often one asks. */
export const EventsRefused = Schema.Union(UnauthorizedError, ForbiddenError, BadRequestError, ResourceNotFoundError)
export type EventsRefused = typeof EventsRefused.Type

/** The service says something every 15 seconds: after this long the connection is lost, whatever it seems. */
const silence = "45 seconds"

const firstWait = 250
const longestWait = 10_000

/** Half as long to as long as it may be, so that all who lost a service do not come back at once. */
const waitAfter = (failures: number, { retryAfter = Duration.zero }: ConnectionLost) =>
  Effect.map(Random.nextRange(0.5, 1), (part) =>
    Duration.max(retryAfter, Duration.millis(Math.min(longestWait, firstWait * 2 ** failures) * part))
  )

const lost = ({ cause, message }: { readonly cause?: unknown; readonly message: string }) =>
  new ConnectionLost({ reason: cause instanceof Error && cause.message !== "" ? cause.message : message })

const refusalOf = (response: HttpClientResponse.HttpClientResponse) =>
  HttpClientResponse.schemaBodyJson(EventsRefused)(response).pipe(
    Effect.mapError(
      () =>
        new ConnectionLost({ reason: `The service answered ${response.status}`, retryAfter: retryAfterOf(response) })
    ),
    Effect.flatMap((refused) => Effect.fail(refused))
  )

/** One connection, from where the last one was lost. */
const connect = (http: HttpClient.HttpClient, types: FeedRequest["types"], after: string | undefined) =>
  Effect.gen(function* () {
    const request = HttpClientRequest.get("/v1/events").pipe(
      HttpClientRequest.setHeaders({
        accept: "text/event-stream",
        ...(after === undefined ? {} : { "last-event-id": after })
      }),
      HttpClientRequest.setUrlParams(types === undefined ? {} : { types: types.join(",") })
    )
    const response = yield* Effect.mapError(http.execute(request), lost)
    if (response.status !== 200) return yield* refusalOf(response)
    return response.stream.pipe(
      Stream.mapError(lost),
      Stream.timeoutFail(() => new ConnectionLost({ reason: "The service is silent" }), silence),
      Stream.decodeText(),
      parseEvents
    )
  }).pipe(Stream.unwrap)

/** Follows events for good: a lost connection is made again, and goes on where it was. Ends only if it is refused. */
export const eventFeed = (
  http: HttpClient.HttpClient,
  { lastEventId, types }: FeedRequest = {}
): Stream.Stream<FeedItem, EventsRefused> =>
  Stream.unwrap(
    Effect.gen(function* () {
      const position = yield* Ref.make(lastEventId)
      const failures = yield* Ref.make(0)

      const goOn = (error: ConnectionLost) =>
        Effect.gen(function* () {
          const wait = yield* waitAfter(yield* Ref.getAndUpdate(failures, (count) => Math.min(count + 1, 10)), error)
          const item: FeedItem = { _tag: "Lost", reason: error.reason, wait }
          return Stream.concat(Stream.make(item), Stream.execute(Effect.sleep(wait)))
        }).pipe(Stream.unwrap)

      const connection = Effect.map(Ref.get(position), (after) => connect(http, types, after)).pipe(
        Stream.unwrap,
        Stream.tap((item) =>
          item._tag === "Lost" ? Effect.void : Effect.zipRight(Ref.set(position, item.id), Ref.set(failures, 0))
        ),
        Stream.concat(Stream.fail(new ConnectionLost({ reason: "The service ended the stream" }))),
        Stream.catchAll((error) => (error._tag === "ConnectionLost" ? goOn(error) : Stream.fail(error)))
      )
      return Stream.forever(connection)
    })
  )
