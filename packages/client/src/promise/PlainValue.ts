import { HttpClientResponse } from "@effect/platform"
import { BadRequestError } from "@switchboard/domain/Errors"
import type { FileContent } from "@switchboard/domain/messages/Attachment"
import { type Brand, DateTime, Effect, Predicate } from "effect"

/** The status and the headers of a response. */
export interface ResponseInfo {
  readonly status: number
  /** The headers by their names in lower case. */
  readonly headers: Readonly<Record<string, string>>
}

/** A value of the client without types of Effect: times are `Date`, ids and addresses are strings. */
export type PlainValue<T> = unknown extends T
  ? T
  : T extends DateTime.DateTime
    ? Date
    : T extends HttpClientResponse.HttpClientResponse
      ? ResponseInfo
      : T extends Error | FileContent | Uint8Array | FormData
        ? T
        : T extends Brand.Brand<string | symbol>
          ? Brand.Brand.Unbranded<T>
          : { readonly [Key in keyof T]: PlainValue<T[Key]> }

const mapFields = (value: object, map: (field: unknown) => unknown) =>
  Object.fromEntries(Object.entries(value).map(([name, field]) => [name, map(field)]))

const isResponse = (value: object): value is HttpClientResponse.HttpClientResponse =>
  Predicate.hasProperty(value, HttpClientResponse.TypeId)

/** Converts a result of the client. */
export function toPlain<T>(value: T): PlainValue<T>
export function toPlain(value: unknown): unknown {
  if (!Predicate.isObject(value) || value instanceof Error || value instanceof Uint8Array) return value
  if (DateTime.isDateTime(value)) return DateTime.toDateUtc(value)
  if (isResponse(value)) return { status: value.status, headers: { ...value.headers } }
  return Array.isArray(value) ? value.map((item) => toPlain(item)) : mapFields(value, toPlain)
}

const isPlainObject = (value: unknown): value is object =>
  Predicate.isRecord(value) && [Object.prototype, null].includes(Object.getPrototypeOf(value))

/** Instances of classes, for example `FormData`, stay as they are. Throws if a date is invalid. */
const fromPlain = (value: unknown): unknown => {
  if (value instanceof Date) return DateTime.unsafeFromDate(value)
  if (Array.isArray(value)) return value.map(fromPlain)
  return isPlainObject(value) ? mapFields(value, fromPlain) : value
}

/** Converts a request: each `Date` becomes a `DateTime`. */
export const fromPlainRequest = (request: unknown) =>
  Effect.try({
    try: () => fromPlain(request),
    catch: (error) =>
      new BadRequestError({
        message: `The request can't be converted: ${Predicate.isError(error) ? error.message : String(error)}`
      })
  })
