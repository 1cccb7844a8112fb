import { HttpClient } from "@effect/platform"
import * as Export from "@switchboard/domain/analytics/Export"
import { Effect, Option, Stream } from "effect"
import type { ExportedEvent, ExportedMessage, Operations } from "./ApiTypes.js"
import {
  blocksFeed,
  type ExportError,
  type ExportRange,
  type ExportRequest,
  exportFeed,
  exportRows
} from "./analytics/ExportFeed.js"
import { type EventsError, type EventsRequest, eventFeed } from "./events/EventFeed.js"
import { readEvent, type SwitchboardEvent } from "./events/SwitchboardEvent.js"
import { deriveOperations } from "./operations/Operations.js"
import { defaultRetries, withRetries } from "./Retries.js"
import { type ServiceAccess, serviceClient } from "./ServiceClient.js"

export * from "@switchboard/domain/Errors"
export { FileContent } from "@switchboard/domain/messages/Attachment"
export type * from "./ApiTypes.js"
export {
  type ExportError,
  ExportIncompleteError,
  type ExportRange,
  type ExportRequest
} from "./analytics/ExportFeed.js"
export type { EventsError, EventsRequest } from "./events/EventFeed.js"
export type { SwitchboardEvent, UnknownEvent } from "./events/SwitchboardEvent.js"
export { type CallError, InvalidResponseError, type ReceivedResponse } from "./operations/CallError.js"
export { requestIdOf } from "./operations/RequestIds.js"
export type { ServiceAccess } from "./ServiceClient.js"

/** The options of a client. */
export type SwitchboardOptions = ServiceAccess & {
  /**
   * How often a request is retried after the wait that its response requests, up to one minute: after a 429, and after a
   * 503 if a repetition is safe (GET, PUT, DELETE, or with an idempotency key). Default: 2.
   */
  readonly retries?: number
}

const messageRows = exportRows(Export.ExportedMessage)
const eventRows = exportRows(Export.ExportedEvent)

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
  readonly events: (request?: EventsRequest) => Stream.Stream<SwitchboardEvent, EventsError>
  /** All rows of a range as streams. A stream that ends without an error is complete. */
  readonly exports: {
    readonly messages: (range?: ExportRange) => Stream.Stream<ExportedMessage, ExportError>
    readonly events: (range?: ExportRange) => Stream.Stream<ExportedEvent, ExportError>
    /** All blocks in force, as a CSV file for `blocks.import`. */
    readonly blocks: () => Stream.Stream<string, ExportError>
    /** The export as text, to write to a file. */
    readonly text: (request: ExportRequest) => Stream.Stream<string, ExportError>
  }
}

/**
 * Creates a client. `client.messages.send(…)` fails with the tagged errors that the operation declares, or with those
 * of `CallError`.
 */
export const make = ({
  retries = defaultRetries,
  ...access
}: SwitchboardOptions): Effect.Effect<Switchboard, never, HttpClient.HttpClient> =>
  Effect.gen(function* () {
    const http = yield* serviceClient(yield* HttpClient.HttpClient, access)
    const retrying = withRetries(http, retries)
    const operations = yield* deriveOperations(retrying)
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
        messages: (range = {}) => messageRows(retrying, "messages", range),
        events: (range = {}) => eventRows(retrying, "events", range),
        blocks: () => blocksFeed(retrying),
        text: (request) => exportFeed(retrying, request)
      }
    }
  })
