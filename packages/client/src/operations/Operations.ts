import { type HttpApi, HttpApiClient, type HttpApiGroup, type HttpClient } from "@effect/platform"
import { Api } from "@switchboard/api"
import { Effect, Record } from "effect"
import type { Operations } from "../ApiTypes.js"
import { responseError } from "./CallError.js"
import { type AnyOperation, completeOperation } from "./CompleteOperation.js"
import { atPageQuery } from "./NextPage.js"
import { recordResponses } from "./RequestIds.js"

/** The operations as `HttpApiClient` derives them. */
export type Derived =
  typeof Api extends HttpApi.HttpApi<infer _Id, infer Groups, infer Error, infer _R>
    ? HttpApiClient.Client<Extract<Groups, HttpApiGroup.HttpApiGroup.Any>, Error, never>
    : never

type AnyOperations = Readonly<Record<string, Readonly<Record<string, AnyOperation>>>>

type Completed = { readonly [Group in keyof Operations]: Pick<Operations[Group], keyof Operations[Group]> }

/** Completes every operation. Its type must match, which test/operations/OperationTypes.ts verifies. */
function completeAll(derived: Derived): Completed
function completeAll(derived: AnyOperations): AnyOperations {
  return Record.map(derived, (group, groupName) =>
    Record.map(group, (operation, name) => {
      const endpoint = Api.groups[groupName]?.endpoints[name]
      return endpoint === undefined ? operation : completeOperation(operation, endpoint)
    })
  )
}

/** Derives the operations of the API from an HTTP client with the base URL and the key of the service. */
export const deriveOperations = (httpClient: HttpClient.HttpClient): Effect.Effect<Operations> =>
  Effect.map(
    HttpApiClient.makeWith(Api, {
      httpClient: atPageQuery(recordResponses(httpClient)),
      transformResponse: Effect.catchAll(responseError)
    }),
    completeAll
  )
