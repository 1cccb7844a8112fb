import { HttpClient } from "@effect/platform"
import { ExportedEvent, ExportedMessage } from "@switchboard/domain/analytics/Export"
import { Effect, Option, Stream } from "effect"
import {
  blocksFeed,
  type ExportFailed,
  type ExportRange,
  type ExportRequest,
  exportFeed,
  exportRows
} from "./analytics/ExportFeed.js"
import { type EventsRefused, type EventsRequest, eventFeed } from "./events/EventFeed.js"
import { readEvent, type SwitchboardEvent } from "./events/SwitchboardEvent.js"
import { deriveOperations, type Operations } from "./operations/Operations.js"
import { retryAfterOf } from "./RetryAfter.js"
import { type ServiceAccess, serviceClient } from "./ServiceClient.js"

export * from "@switchboard/domain/Errors"
export { ExportBroken, type ExportFailed, type ExportRange, type ExportRequest } from "./analytics/ExportFeed.js"
export type { EventsRefused, EventsRequest } from "./events/EventFeed.js"
export { KnownEvent, readWebhook, type SwitchboardEvent, type UnknownEvent } from "./events/SwitchboardEvent.js"
export { AnswerUnreadable, type CallFailed } from "./operations/Operations.js"

/** The options of a client. */
export interface SwitchboardOptions extends ServiceAccess {
  /** How often a call is retried after a 429. Default: 0. */
  readonly rateLimitRetries?: number
}

const messageRows = exportRows(ExportedMessage)
const eventRows = exportRows(ExportedEvent)

const tooManyRequests = 429

/**
 * Retries a 429 after the wait that the response requests. After the last retry the call fails with `RateLimitedError`.
 */
const retryRateLimited = (http: HttpClient.HttpClient, retries: number) =>
  HttpClient.transformResponse(http, (effect) => {
    const attempt = (left: number): typeof effect =>
      Effect.flatMap(effect, (response) =>
        response.status === tooManyRequests && left > 0
          ? Effect.zipRight(Effect.sleep(retryAfterOf(response)), attempt(left - 1))
          : Effect.succeed(response)
      )
    return attempt(retries)
  })

/** The client: the operations of the API by group, and streams of events and exports. */
export interface Switchboard extends Omit<Operations, "analytics" | "blocks" | "events"> {
  /** Aggregated counters; `exports` streams the single messages. */
  readonly analytics: Omit<Operations["analytics"], "export">
  /** The addresses and domains that receive no mail, or none of a category; `exports.blocks` streams them as CSV. */
  readonly blocks: Omit<Operations["blocks"], "export">
  /**
   * Events as they happen, in order and without gaps. A lost connection is reconnected; the stream fails only if the
   * service rejects the request. To resume later, store the `id` of the last event processed.
   */
  readonly events: (request?: EventsRequest) => Stream.Stream<SwitchboardEvent, EventsRefused>
  /** All rows of a range as streams. A stream that ends without an error is complete. */
  readonly exports: {
    readonly messages: (range?: ExportRange) => Stream.Stream<ExportedMessage, ExportFailed>
    readonly events: (range?: ExportRange) => Stream.Stream<ExportedEvent, ExportFailed>
    /** All blocks in force, as a CSV file for `blocks.import`. */
    readonly blocks: () => Stream.Stream<string, ExportFailed>
    /** The export as text, to write to a file. */
    readonly text: (request: ExportRequest) => Stream.Stream<string, ExportFailed>
  }
}

/**
 * Creates a client. `client.messages.send(…)` fails with the tagged errors that the operation declares, or with those
 * of `CallFailed`.
 */
export const make = ({
  rateLimitRetries = 0,
  ...access
}: SwitchboardOptions): Effect.Effect<Switchboard, never, HttpClient.HttpClient> =>
  Effect.gen(function* () {
    const http = serviceClient(yield* HttpClient.HttpClient, access)
    const operations = yield* deriveOperations(retryRateLimited(http, rateLimitRetries))
    const { export: _, ...analytics } = operations.analytics
    const { export: __, ...blocks } = operations.blocks
    return {
      ...operations,
      analytics,
      blocks,
      events: (request = {}) =>
        Stream.filterMap(eventFeed(http, request), (item) =>
          item._tag === "Event" ? Option.some(readEvent(item)) : Option.none()
        ),
      exports: {
        messages: (range = {}) => messageRows(http, "messages", range),
        events: (range = {}) => eventRows(http, "events", range),
        blocks: () => blocksFeed(http),
        text: (request) => exportFeed(http, request)
      }
    }
  })
