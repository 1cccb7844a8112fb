import { FetchHttpClient, HttpClient } from "@effect/platform"
import { Effect, Layer, Record, Redacted } from "effect"
import type { ServiceAccess } from "../ServiceClient.js"
import * as Client from "../Switchboard.js"
import { type AnyCall, type AnyStream, type PlainCall, plainCall, plainStream } from "./PlainCall.js"
import type { PlainValue } from "./PlainValue.js"

export { RequestError } from "@effect/platform/HttpClientError"
export {
  type ApiError,
  BadRequestError,
  ConflictError,
  ExternalServiceError,
  ForbiddenError,
  InternalError,
  isApiError,
  PayloadTooLargeError,
  PaymentRequiredError,
  RateLimitedError,
  ResourceNotFoundError,
  SecondFactorRequiredError,
  ServiceUnavailableError,
  UnauthorizedError,
  ValidationError
} from "@switchboard/domain/Errors"
export { FileContent } from "@switchboard/domain/messages/Attachment"
export { ExportIncompleteError } from "../analytics/ExportFeed.js"
export { InvalidResponseError, type ReceivedResponse } from "../operations/CallError.js"
export { requestIdOf } from "../operations/RequestIds.js"
export type { ServiceAccess } from "../ServiceClient.js"
export type { PlainValue, ResponseInfo } from "./PlainValue.js"
export type { CallOptions } from "./RunPromise.js"
export * as Webhooks from "./Webhooks.js"

/** The options of a client. */
export type SwitchboardOptions = ServiceAccess<string> & {
  /**
   * How often a request is retried after the wait that its response requests, up to one minute: after a 429, and after a
   * 503 if a repetition is safe (GET, PUT, DELETE, or with an idempotency key). Default: 2.
   */
  readonly retries?: number
  /** The function that sends the requests. Default: `fetch` of the platform. */
  readonly fetch?: typeof globalThis.fetch
}

/** An event of the service: its time is a `Date`. */
export type SwitchboardEvent = PlainValue<Client.SwitchboardEvent>

const layerOf = (fetch: typeof globalThis.fetch) =>
  Layer.provide(FetchHttpClient.layer, Layer.succeed(FetchHttpClient.Fetch, fetch))

/** The operations of a group. */
type PlainGroup<Group> = { readonly [Name in keyof Group]: PlainCall<Group[Name]> }

/** The client: the operations of the API by group, and iterables of lists, events and exports. */
export type Switchboard = {
  readonly [Group in keyof Client.Switchboard]: Client.Switchboard[Group] extends (...args: never) => unknown
    ? PlainCall<Client.Switchboard[Group]>
    : PlainGroup<Client.Switchboard[Group]>
}

type AnyOperations = Readonly<Record<string, Readonly<Record<string, AnyCall>>>>

/** The groups as mapped types, which unlike interfaces are assignable to records. */
type Groups = {
  readonly [Group in Exclude<keyof Client.Switchboard, "events" | "exports">]: Pick<
    Client.Switchboard[Group],
    keyof Client.Switchboard[Group]
  >
}

/** Converts the operations. Its type must match `plainCall`. */
function plainGroups(groups: Groups): Omit<Switchboard, "events" | "exports">
function plainGroups(groups: AnyOperations): Readonly<Record<string, Readonly<Record<string, object>>>> {
  return Record.map(groups, Record.map(plainCall))
}

/** Converts the streams. Its type must match `plainStream`. */
function plainStreams(client: Pick<Client.Switchboard, "events" | "exports">): Pick<Switchboard, "events" | "exports">
function plainStreams({
  events,
  exports
}: {
  readonly events: AnyStream
  readonly exports: Readonly<Record<string, AnyStream>>
}): object {
  return { events: plainStream(events), exports: Record.map(exports, plainStream) }
}

/**
 * Creates a client with promises. A call rejects with the errors of the operation: classes of this module with `_tag`,
 * `message` and, if the service responded with it, `status`.
 */
export const make = ({ fetch, ...options }: SwitchboardOptions): Switchboard =>
  Client.make(options.session === true ? options : { ...options, apiKey: Redacted.make(options.apiKey) }).pipe(
    Effect.map(({ events, exports, ...groups }) => ({ ...plainGroups(groups), ...plainStreams({ events, exports }) })),
    // Without spans, requests have no trace headers: nothing would collect them.
    Effect.updateService(
      HttpClient.HttpClient,
      HttpClient.withTracerDisabledWhen(() => true)
    ),
    Effect.provide(fetch === undefined ? FetchHttpClient.layer : layerOf(fetch)),
    Effect.runSync
  )
