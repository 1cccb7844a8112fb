import type {
  HttpApi,
  HttpApiEndpoint,
  HttpApiError,
  HttpApiGroup,
  HttpClientError,
  HttpClientResponse
} from "@effect/platform"
import type { Api } from "@switchboard/api"
import { Data, type Effect } from "effect"
import type { Given } from "./Given.js"

/** An answer that is none of those that the interface declares: another service answered, or a newer one, or half. */
export class AnswerUnreadable extends Data.TaggedError("AnswerUnreadable")<{ readonly reason: string }> {}

type Nothing = Record<never, never>

/** A part of a request; one in which nothing must be said may be left out. */
type Part<Name extends string, A> = [A] extends [never]
  ? unknown
  : Nothing extends A
    ? { readonly [Key in Name]?: Given<A> }
    : { readonly [Key in Name]: Given<A> }

type Parts<Path, UrlParams, Payload, Headers> = Part<"path", Path> &
  Part<"urlParams", UrlParams> &
  Part<"payload", Payload> &
  Part<"headers", Headers>

type Answer<Success, WithResponse extends boolean> = WithResponse extends true
  ? [Success, HttpClientResponse.HttpClientResponse]
  : Success

type Call<Request, Success, Error> = Nothing extends Request
  ? <WithResponse extends boolean = false>(
      request?: Request & { readonly withResponse?: WithResponse }
    ) => Effect.Effect<Answer<Success, WithResponse>, Error>
  : <WithResponse extends boolean = false>(
      request: Request & { readonly withResponse?: WithResponse }
    ) => Effect.Effect<Answer<Success, WithResponse>, Error>

/** What may befall any call besides what its operation declares: the network, and who answers there. */
export type CallFailed = HttpClientError.RequestError | AnswerUnreadable

type ErrorOf<Declared> = Exclude<Declared, HttpApiError.HttpApiDecodeError> | CallFailed

type Operation<Endpoint, Shared> = [Endpoint] extends [
  HttpApiEndpoint.HttpApiEndpoint<
    infer _Name,
    infer _Method,
    infer Path,
    infer UrlParams,
    infer Payload,
    infer Headers,
    infer Success,
    infer Error,
    infer _R,
    infer _RE
  >
]
  ? Call<Parts<Path, UrlParams, Payload, Headers>, Success, ErrorOf<Error | Shared>>
  : never

type OperationsOfGroup<Group, Shared> = [Group] extends [
  HttpApiGroup.HttpApiGroup<infer _Name, infer Endpoints, infer Error, infer _R>
]
  ? {
      readonly [Endpoint in Endpoints as HttpApiEndpoint.HttpApiEndpoint.Name<Endpoint>]: Operation<
        Endpoint,
        Error | Shared
      >
    }
  : never

type OperationsOf<Declared> = [Declared] extends [HttpApi.HttpApi<infer _Id, infer Groups, infer Error, infer _R>]
  ? {
      readonly [Group in Groups as HttpApiGroup.HttpApiGroup.Name<Group>]: OperationsOfGroup<Group, Error>
    }
  : never

/** The operations of the interface by their groups, as its declaration types them. */
export type Operations = OperationsOf<typeof Api>
