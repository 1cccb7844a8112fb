import { HttpRouter } from "@effect/platform"
import { createOnce } from "@switchboard/services/idempotency/CreateOnce"
import { makeCreationKey } from "@switchboard/services/idempotency/CreationKey"
import { Effect } from "effect"
import { CurrentCaller } from "../Authorization.js"
import { invalid } from "../http/body/DecodeBody.js"
import { addHeaders, type RequestInProgress } from "../http/HttpContext.js"
import type { IdempotencyHeaders } from "./IdempotencyKeyHeader.js"

interface HasIdempotencyKey {
  readonly idempotencyKey?: string | undefined
}

/** Adds the key of the header to the request. Fails with 422 if the body has a different key. */
export const withHeaderKey = <A extends HasIdempotencyKey>(request: A, headerKey: string | undefined) =>
  headerKey === undefined || headerKey === request.idempotencyKey
    ? Effect.succeed(request)
    : request.idempotencyKey === undefined
      ? Effect.succeed<A>({ ...request, idempotencyKey: headerKey })
      : invalid({ idempotencyKey: ["must be the same as in the header Idempotency-Key"] })

const replayHeader = "idempotent-replayed"

/** Marks the response to a repeated request. */
export const markReplay = (replayed: boolean) => (replayed ? addHeaders({ [replayHeader]: "true" }) : Effect.void)

/** Whether the response is marked as one to a repeated request. */
export const isReplay = (request: RequestInProgress) => request.hasHeader(replayHeader)

/** The decoded request of an operation with `IdempotencyHeaders`. */
interface KeyedRequest {
  readonly headers: typeof IdempotencyHeaders.Type
  readonly path?: unknown
  readonly payload?: unknown
}

type Caller = typeof CurrentCaller.Service

/**
 * Makes the handler of an operation that creates a resource. With an idempotency key, a repeated request gets the
 * resource of the first one: `original` reads it by its id, in the form of its GET, so that no secret is shown again.
 */
export const handleOnce = Effect.map(
  createOnce,
  (once) =>
    <Request extends KeyedRequest, A, E, R, E2, R2>(
      create: (request: Request, caller: Caller) => Effect.Effect<A, E, R>,
      original: (id: string, caller: Caller, request: Request) => Effect.Effect<A, E2, R2>
    ) => {
      const handler = (request: Request) =>
        Effect.gen(function* () {
          const caller = yield* CurrentCaller
          const { headers, path, payload } = request
          if (headers["idempotency-key"] === undefined) return yield* create(request, caller)
          const { route } = yield* HttpRouter.RouteContext
          const key = yield* makeCreationKey({
            organizationId: caller.organizationId,
            operation: `${route.method} ${route.path}`,
            key: headers["idempotency-key"],
            request: { path, payload }
          })
          const { replayed, resource } = yield* once(key, create(request, caller), (id) =>
            original(id, caller, request)
          )
          yield* markReplay(replayed)
          return resource
        })
      // A resource without a GET is read by this function.
      return Object.assign(handler, { original })
    }
)
