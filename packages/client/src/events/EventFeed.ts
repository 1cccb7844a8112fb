import { makeParser } from "@effect/experimental/Sse"
import { type HttpClient, type HttpClientError, HttpClientRequest, HttpClientResponse } from "@effect/platform"
import { BadRequestError, ForbiddenError, ResourceNotFoundError, UnauthorizedError } from "@switchboard/domain/Errors"
import { Data, Duration, Effect, Predicate, Random, Ref, Schema, Stream } from "effect"
import type { Subscription } from "../ApiTypes.js"
import { relateToResponse } from "../operations/RequestIds.js"
import { retryAfterOf } from "../Retries.js"
import type { ServerSentEvent } from "./SwitchboardEvent.js"

/** An item of the feed: an event, or a change of the connection. */
export type FeedItem =
  | ({ readonly _tag: "Event" } & ServerSentEvent)
  /** The connection is open, at the position after this event id. */
  | { readonly _tag: "Connected"; readonly id: string }
  /** The connection was lost or failed; it is retried after the wait. */
  | { readonly _tag: "Lost"; readonly reason: string; readonly wait: Duration.Duration }

/** A connection that failed and can be retried. */
export class ConnectionLost extends Data.TaggedError("ConnectionLost")<{
  readonly reason: string
  /** The wait that the service requests. */
  readonly retryAfter?: Duration.Duration
}> {}

/** The parser searches every line from the start of its buffer: with one line at a time, its work stays linear. */
const afterLine = /(?<=\n)/

/** Parses the text of one connection as server-sent events. An event that is cut off at the end is dropped. */
const parseEvents = <E>(text: Stream.Stream<string, E>): Stream.Stream<FeedItem, E | ConnectionLost> =>
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

/** A subscription to events, including types that this version of the client does not define. */
export interface FeedRequest {
  /** The id of the last event received. Default: only new events. */
  readonly lastEventId?: string
  /** Event types, groups like `message.*`, or `*`. Default: all events. */
  readonly types?: ReadonlyArray<string>
}

/** A subscription to events of the types that this version of the client defines. */
export interface EventsRequest extends FeedRequest {
  readonly types?: ReadonlyArray<Subscription>
}

const Rejection = Schema.Union(UnauthorizedError, ForbiddenError, BadRequestError, ResourceNotFoundError)

/** Errors that a retry can't resolve: of the service, or of a request that can't be sent, for example to an invalid URL. */
export type EventsError = typeof Rejection.Type | HttpClientError.RequestError

/** The service sends data every 15 seconds: after this time without any, the connection counts as lost. */
const silenceTimeout = "45 seconds"

const minWaitMs = 250
const maxWaitMs = 10_000

/** The wait before a reconnection: exponential with 50 % jitter, so that clients do not reconnect at the same time. */
const waitAfter = (failures: number, { retryAfter = Duration.zero }: ConnectionLost) =>
  Effect.map(Random.nextRange(0.5, 1), (part) =>
    Duration.max(retryAfter, Duration.millis(Math.min(maxWaitMs, minWaitMs * 2 ** failures) * part))
  )

const lost = ({ cause, message }: { readonly cause?: unknown; readonly message: string }) =>
  new ConnectionLost({ reason: cause instanceof Error && cause.message !== "" ? cause.message : message })

const rejectionOf = (response: HttpClientResponse.HttpClientResponse) =>
  HttpClientResponse.schemaBodyJson(Rejection)(response).pipe(
    Effect.catchAll(() =>
      Effect.flatMap(
        retryAfterOf(response),
        (retryAfter) =>
          new ConnectionLost({ reason: `The service responded with status ${response.status}`, retryAfter })
      )
    ),
    Effect.flatMap((rejection) => Effect.fail(rejection)),
    Effect.tapError((error) => Effect.sync(() => relateToResponse(error, response)))
  )

/** Opens one connection that resumes after the event `after`. */
const connect = (http: HttpClient.HttpClient, types: FeedRequest["types"], after: string | undefined) =>
  Effect.gen(function* () {
    const request = HttpClientRequest.get("/v1/events").pipe(
      HttpClientRequest.setHeaders({
        accept: "text/event-stream",
        ...(after === undefined ? {} : { "last-event-id": after })
      }),
      HttpClientRequest.setUrlParams(types === undefined ? {} : { types: types.join(",") })
    )
    const response = yield* Effect.mapError(http.execute(request), (error) =>
      error._tag === "RequestError" && error.reason !== "Transport" ? error : lost(error)
    )
    if (response.status !== 200) return yield* rejectionOf(response)
    return response.stream.pipe(
      Stream.mapError(lost),
      Stream.timeoutFail(
        () => new ConnectionLost({ reason: "No data from the service for 45 seconds" }),
        silenceTimeout
      ),
      Stream.decodeText(),
      parseEvents
    )
  }).pipe(Stream.unwrap)

/**
 * Follows events. A lost connection is reconnected and resumed. The stream fails only if the service rejects the
 * request.
 */
export const eventFeed = (
  http: HttpClient.HttpClient,
  { lastEventId, types }: FeedRequest = {}
): Stream.Stream<FeedItem, EventsError> =>
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
