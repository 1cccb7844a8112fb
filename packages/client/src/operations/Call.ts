import type { HttpClientResponse } from "@effect/platform"
import type { Effect, Stream } from "effect"

type Page<Item> = { readonly items: ReadonlyArray<Item>; readonly pagination: object }

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
