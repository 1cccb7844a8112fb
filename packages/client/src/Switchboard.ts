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

/** The service that a client calls, and how. */
export interface SwitchboardOptions extends ServiceAccess {
  /** How many times a call waits out a 429 and tries again; 0 by default. */
  readonly rateLimitRetries?: number
}

const messageRows = exportRows(ExportedMessage)
const eventRows = exportRows(ExportedEvent)

const tooManyRequests = 429

/** Retries a 429 after the wait that its response names; after the last retry the call fails with `RateLimitedError`. */
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

/** The client: the operations of the interface by their groups, and beside them what comes bit by bit. */
export interface Switchboard extends Omit<Operations, "analytics" | "blocks" | "events"> {
  /** What can be told of many messages at once; `exports` has them one by one. */
  readonly analytics: Omit<Operations["analytics"], "export">
  /** The addresses and domains that get no mail, or none of a category; `exports.blocks` has them as a file. */
  readonly blocks: Omit<Operations["blocks"], "export">
  /**
   * What happens, as it happens, in one order and without a gap. A lost connection is made again by itself; the
   * stream ends only if it is refused. Keep the `id` of what you have dealt with, to go on there another time.
   */
  readonly events: (request?: EventsRequest) => Stream.Stream<SwitchboardEvent, EventsRefused>
  /** All that the organization has of a range, a row at a time, however much it is: a stream that ends is whole. */
  readonly exports: {
    readonly messages: (range?: ExportRange) => Stream.Stream<ExportedMessage, ExportFailed>
    readonly events: (range?: ExportRange) => Stream.Stream<ExportedEvent, ExportFailed>
    /** All blocks in force as a CSV file that `blocks.import` takes. */
    readonly blocks: () => Stream.Stream<string, ExportFailed>
    /** As the service writes it: for a file. */
    readonly text: (request: ExportRequest) => Stream.Stream<string, ExportFailed>
  }
}

/**
 * A client with the operations of the interface as methods. `client.messages.send(…)` fails with the tagged errors that
 * this operation declares, or with those of `CallFailed`.
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
          item._tag === "Told" ? Option.some(readEvent(item)) : Option.none()
        ),
      exports: {
        messages: (range = {}) => messageRows(http, "messages", range),
        events: (range = {}) => eventRows(http, "events", range),
        blocks: () => blocksFeed(http),
        text: (request) => exportFeed(http, request)
      }
    }
  })
