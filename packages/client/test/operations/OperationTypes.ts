import type { HttpApiError, HttpClientError, HttpClientResponse } from "@effect/platform"
import type { CallError } from "@switchboard/client"
import type { ExportedEvent, ExportedMessage, KnownEvent, Operations } from "@switchboard/client/ApiTypes"
import type { KnownEventSchema } from "@switchboard/client/events/SwitchboardEvent"
import type { Derived } from "@switchboard/client/operations/Operations"
import type * as Export from "@switchboard/domain/analytics/Export"
import type { BadRequestError, InternalError, ValidationError } from "@switchboard/domain/Errors"
import type { FileContent } from "@switchboard/domain/messages/Attachment"
import type { Brand, DateTime, Effect, ParseResult, Stream } from "effect"

/** A value without brands: ids and addresses are strings. */
type Plain<T> = unknown extends T
  ? T
  : T extends DateTime.DateTime | FileContent | Uint8Array | FormData | Error
    ? T
    : T extends Brand.Brand<string | symbol>
      ? Brand.Brand.Unbranded<T>
      : { readonly [Key in keyof T]: Plain<T[Key]> }

type RequestOf<Call> = Call extends (request: infer Request) => unknown
  ? Omit<NonNullable<Exclude<Request, void>>, "withResponse">
  : never
type SuccessOf<Call> = Call extends (request: never) => Effect.Effect<infer Success, infer _>
  ? Exclude<Success, readonly [unknown, HttpClientResponse.HttpClientResponse]>
  : never
type ErrorOf<Call> = Call extends (request: never) => Effect.Effect<infer _, infer Error> ? Error : never

/** The optional parts of a request. */
type LeftOut<Request> = {
  [Part in keyof Request]-?: Record<never, never> extends Pick<Request, Part> ? Part : never
}[keyof Request]

type Replaced = HttpApiError.HttpApiDecodeError | HttpClientError.ResponseError | ParseResult.ParseError

/**
 * The errors of a completed operation: those declared, those of any call, and those of a request that can't be encoded.
 */
type Completed<From> =
  | Exclude<ErrorOf<From>, Replaced>
  | CallError
  | BadRequestError
  | ("payload" extends keyof RequestOf<From> ? ValidationError : never)

type Unless<Name extends string, From, To> = [From] extends [To] ? never : Name

/** A derived type must be identical, without its brands: assignability ignores missing optional fields. */
type Differs<Name extends string, From, To> =
  (<X>() => X extends Plain<From> ? true : false) extends <X>() => X extends To ? true : false ? never : Name

/**
 * The differences between the type of a completed operation and the result of `complete`, which adds `{}` for omitted
 * parts, keeps the success, and replaces errors.
 */
type Problem<From, To> =
  | Unless<"parts", keyof RequestOf<From>, keyof RequestOf<To>>
  | Differs<"request", Required<RequestOf<From>>, Required<RequestOf<To>>>
  | Unless<
      "left out",
      { [Part in LeftOut<RequestOf<To>>]: Record<never, never> },
      Pick<RequestOf<From>, LeftOut<RequestOf<To>> & keyof RequestOf<From>>
    >
  | Differs<"success", SuccessOf<From>, SuccessOf<To>>
  | Unless<"error", Completed<From>, ErrorOf<To>>
  | Unless<"error is wider", ErrorOf<To>, Completed<From>>

/** A page has the stream of the items of all pages, with the errors of the operation. */
type ListProblem<To> =
  SuccessOf<To> extends { readonly items: ReadonlyArray<infer Item>; readonly pagination: unknown }
    ? To extends { readonly all: (request: never) => Stream.Stream<infer Found, infer Error> }
      ? Unless<"all", [Item, Found, Error, ErrorOf<To>], [Found, Item, ErrorOf<To>, Error]>
      : "all is missing"
    : never

/** `true`, or the operations with their differences. */
type IsProven<From, To extends Record<keyof From, unknown>> = {
  [Group in keyof From & string]: {
    [Name in keyof From[Group] & string]: Name extends keyof To[Group]
      ? Problem<From[Group][Name], To[Group][Name]> | ListProblem<To[Group][Name]> extends infer Found extends string
        ? `${Group}.${Name}: ${Found}`
        : never
      : `${Group}.${Name} is missing`
  }[keyof From[Group] & string]
}[keyof From & string] extends infer Problems
  ? [Problems] extends [never]
    ? true
    : Problems
  : never

/** The type of every operation of the client matches its implementation; `npm run check:types` verifies it. */
export const proof: IsProven<Derived, Operations> = true

/** The types of events and of rows of exports match their schemas. */
export const decoded: readonly [
  Differs<"event", typeof KnownEventSchema.Type, KnownEvent>,
  Differs<"exported event", typeof Export.ExportedEvent.Type, ExportedEvent>,
  Differs<"exported message", typeof Export.ExportedMessage.Type, ExportedMessage>
] extends ReadonlyArray<never>
  ? true
  : false = true

type One<Call> = { readonly group: { readonly name: Call } }
type Create<Request, Error> = (request: Request) => Effect.Effect<string, Error>
type List = () => Effect.Effect<
  { readonly items: ReadonlyArray<string>; readonly pagination: unknown },
  CallError | BadRequestError
>
type ListWithAll<Item> = List & { readonly all: () => Stream.Stream<Item, CallError | BadRequestError> }
type Payload = { readonly payload: { readonly name: string } }

/** The check accepts a correct operation and rejects incorrect ones. */
export const checks = [
  true satisfies IsProven<
    One<Create<Payload, InternalError | BadRequestError | ValidationError>>,
    One<Create<Payload, InternalError | CallError | BadRequestError | ValidationError>>
  >,
  // @ts-expect-error a required part may be left out
  true satisfies IsProven<
    One<Create<Payload, InternalError>>,
    One<Create<Partial<Payload>, Completed<Create<Payload, InternalError>>>>
  >,
  // @ts-expect-error the error of a body that can't be encoded is missing
  true satisfies IsProven<
    One<Create<Payload, InternalError>>,
    One<Create<Payload, InternalError | CallError | BadRequestError>>
  >,
  // @ts-expect-error the success has another type
  true satisfies IsProven<
    One<Create<Payload, InternalError>>,
    One<(request: Payload) => Effect.Effect<number, Completed<Create<Payload, InternalError>>>>
  >,
  // @ts-expect-error an optional field is missing
  true satisfies IsProven<
    One<Create<{ readonly payload: { readonly name: string; readonly tag?: string } }, InternalError>>,
    One<Create<Payload, Completed<Create<Payload, InternalError>>>>
  >,
  true satisfies IsProven<One<List>, One<ListWithAll<string>>>,
  // @ts-expect-error the list has no stream of its items
  true satisfies IsProven<One<List>, One<List>>,
  // @ts-expect-error the stream has items of another type
  true satisfies IsProven<One<List>, One<ListWithAll<number>>>
]
