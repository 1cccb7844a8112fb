import type { HttpClientResponse } from "@effect/platform"
import type { Pagination } from "@switchboard/domain/Page"
import type { Brand, DateTime, Effect, Stream } from "effect"

/** A request with plain values: without brands, ids and addresses are strings. */
type Plain<T> = unknown extends T
  ? T
  : T extends DateTime.DateTime | Uint8Array | FormData
    ? T
    : T extends Brand.Brand<string | symbol>
      ? Brand.Brand.Unbranded<T>
      : { readonly [Key in keyof T]: Plain<T[Key]> }

type OptionalPart<Request> = {
  [Part in keyof Request]: Record<never, never> extends Request[Part] ? Part : never
}[keyof Request]

/** The parts of a request (`path`, `urlParams`, `headers`, `payload`). Those without required fields are optional. */
export type Parts<Request> = { readonly [Part in OptionalPart<Request>]?: Plain<Request[Part]> } & {
  readonly [Part in Exclude<keyof Request, OptionalPart<Request>>]: Plain<Request[Part]>
}

type Page<Item> = { readonly items: ReadonlyArray<Item>; readonly pagination: typeof Pagination.Type }

/** The items of every page of a list. */
type All<Request, Success, Error> =
  Success extends Page<infer Item>
    ? {
        /**
         * All items of the list, page after page by the `Link` of each response. Items that are added while the stream
         * runs cause neither gaps nor repetitions. Default of `limit`: 100.
         */
        readonly all: Record<never, never> extends Request
          ? (request?: Request) => Stream.Stream<Item, Error>
          : (request: Request) => Stream.Stream<Item, Error>
      }
    : unknown

/** A call of an operation, and of a list also the stream of all its items. */
export type Call<Request, Success, Error> = (Record<never, never> extends Request
  ? <WithResponse extends boolean = false>(
      request?: Request & { readonly withResponse?: WithResponse }
    ) => Effect.Effect<WithResponse extends true ? [Success, HttpClientResponse.HttpClientResponse] : Success, Error>
  : <WithResponse extends boolean = false>(
      request: Request & { readonly withResponse?: WithResponse }
    ) => Effect.Effect<WithResponse extends true ? [Success, HttpClientResponse.HttpClientResponse] : Success, Error>) &
  All<Request, Success, Error>
