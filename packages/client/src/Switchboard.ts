import { HttpClient, HttpClientRequest } from "@effect/platform"
import { ExportedEvent, ExportedMessage } from "@switchboard/domain/analytics/Export"
import { Effect, Option, Redacted, Stream } from "effect"
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
import { deriveOperations } from "./operations/DeriveOperations.js"
import type { Operations } from "./operations/Operations.js"
import { retryAfterOf } from "./RetryAfter.js"

export * from "@switchboard/domain/Errors"
export { ExportBroken, type ExportFailed, type ExportRange, type ExportRequest } from "./analytics/ExportFeed.js"
export type { EventsRefused, EventsRequest } from "./events/EventFeed.js"
export { KnownEvent, readWebhook, type SwitchboardEvent, type UnknownEvent } from "./events/SwitchboardEvent.js"
export { AnswerUnreadable, type CallFailed } from "./operations/Operations.js"

/** How the client reaches a Switchboard. */
export interface SwitchboardOptions {
  /** The service's address, without `/v1`: `https://mail.example.com`. */
  readonly baseUrl: string
  readonly apiKey: Redacted.Redacted<string>
  /** How often a call that was told 429 waits as long as it was told and tries again; 0, the default, never. */
  readonly rateLimitRetries?: number
}

const messageRows = exportRows(ExportedMessage)
const eventRows = exportRows(ExportedEvent)

const tooManyRequests = 429

/** Waits out 429 by the seconds that the answer names; whoever runs out of tries gets the `RateLimitedError`. */
const patient =
  (retries: number) =>
  <E, R>(client: HttpClient.HttpClient.With<E, R>): HttpClient.HttpClient.With<E, R> =>
    HttpClient.transform(client, (effect) => {
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
 * A client whose methods are the operations of the interface, typed by its declaration: `client.messages.send(…)`
 * fails with the tagged errors of that operation, and with nothing else but what the network itself may do.
 */
export const make = ({
  apiKey,
  baseUrl,
  rateLimitRetries = 0
}: SwitchboardOptions): Effect.Effect<Switchboard, never, HttpClient.HttpClient> =>
  Effect.gen(function* () {
    const http = yield* HttpClient.HttpClient
    const access = { http, baseUrl, apiKey }
    const operations = yield* deriveOperations(
      http.pipe(
        HttpClient.mapRequest(HttpClientRequest.setHeader("X-API-Key", Redacted.value(apiKey))),
        patient(rateLimitRetries)
      ),
      baseUrl
    )
    const { export: _, ...analytics } = operations.analytics
    const { export: __, ...blocks } = operations.blocks
    return {
      ...operations,
      analytics,
      blocks,
      events: (request = {}) =>
        Stream.filterMap(eventFeed(access, request), (item) =>
          item._tag === "Told" ? Option.some(readEvent(item)) : Option.none()
        ),
      exports: {
        messages: (range = {}) => messageRows(access, "messages", range),
        events: (range = {}) => eventRows(access, "events", range),
        blocks: () => blocksFeed(access),
        text: (request) => exportFeed(access, request)
      }
    }
  })
