import type { HttpClientResponse } from "@effect/platform"
import { Effect, Stream } from "effect"
import { fromPlainRequest, type PlainValue, type ResponseInfo, toPlain } from "./PlainValue.js"
import { type CallOptions, iterate, run } from "./RunPromise.js"

/** The request of a call, with plain values. */
type PlainRequest<Args extends ReadonlyArray<unknown>> = PlainValue<Omit<NonNullable<Args[0]>, "withResponse">>

/** The arguments of a call. The request is optional if it has no required parts. */
type PlainArgs<Args extends ReadonlyArray<unknown>, Request> = [] extends Args
  ? [request?: Request, options?: CallOptions]
  : [request: Request, options?: CallOptions]

type PlainEffect<Args extends ReadonlyArray<unknown>, Success> = <WithResponse extends boolean = false>(
  ...args: PlainArgs<Args, PlainRequest<Args> & { readonly withResponse?: WithResponse }>
) => Promise<WithResponse extends true ? [Success, ResponseInfo] : Success>

type PlainStream<Args extends ReadonlyArray<unknown>, Item> = (
  ...args: PlainArgs<Args, PlainRequest<Args>>
) => AsyncGenerator<PlainValue<Item>, void, undefined>

/** A function of the client that returns a promise in place of an effect, and an iterable in place of a stream. */
export type PlainCall<Call> = (Call extends (...args: infer Args) => Effect.Effect<infer Success, infer _Error>
  ? PlainEffect<Args, PlainValue<Exclude<Success, readonly [unknown, HttpClientResponse.HttpClientResponse]>>>
  : Call extends (...args: infer Args) => Stream.Stream<infer Item, infer _Error>
    ? PlainStream<Args, Item>
    : never) &
  (Call extends { readonly all: infer All } ? { readonly all: PlainCall<All> } : unknown)

/** Any stream of the client; declared as a method for bivariant parameters. */
export type AnyStream = { call(request: unknown): Stream.Stream<unknown, unknown> }["call"]

/** Any operation of the client; declared as a method for bivariant parameters. */
export type AnyCall = { call(request: unknown): Effect.Effect<unknown, unknown> }["call"] & { readonly all?: AnyStream }

/** A function that returns an iterable in place of a stream. */
export const plainStream = (stream: AnyStream) => (request: unknown, options?: CallOptions) =>
  iterate(Stream.map(Stream.unwrap(Effect.map(fromPlainRequest(request), stream)), toPlain), options)

/** A function that returns a promise in place of an effect, and of a list also the iterable of all items. */
export const plainCall = (operation: AnyCall) => {
  const call = (request: unknown, options?: CallOptions) =>
    run(Effect.map(Effect.flatMap(fromPlainRequest(request), operation), toPlain), options)
  return operation.all === undefined ? call : Object.assign(call, { all: plainStream(operation.all) })
}
