import { Effect } from "effect"
import { invalid } from "../http/body/RequestBody.js"
import { addHeaders } from "../http/ResponseHeaders.js"

interface Keyed {
  readonly idempotencyKey?: string | undefined
}

/** Returns the request with the key of its header; 422 if the body has another. */
export const withHeaderKey = <A extends Keyed>(request: A, headerKey: string | undefined) =>
  headerKey === undefined || headerKey === request.idempotencyKey
    ? Effect.succeed(request)
    : request.idempotencyKey === undefined
      ? Effect.succeed<A>({ ...request, idempotencyKey: headerKey })
      : invalid({ idempotencyKey: ["must be the same as in the header Idempotency-Key"] })

/** Marks the response to a repeated request. */
export const markReplay = (replayed: boolean) =>
  replayed ? addHeaders({ "idempotent-replayed": "true" }) : Effect.void
