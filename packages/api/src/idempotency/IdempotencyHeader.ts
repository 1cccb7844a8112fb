import { Effect } from "effect"
import { invalid } from "../http/body/DecodeBody.js"
import { addHeaders } from "../http/HttpContext.js"

interface HasIdempotencyKey {
  readonly idempotencyKey?: string | undefined
}

/** Adds the key of the header to the request. Fails with 422 if the body has a different key. */
export const withHeaderKey = <A extends HasIdempotencyKey>(request: A, headerKey: string | undefined) =>
  headerKey === undefined || headerKey === request.idempotencyKey
    ? Effect.succeed(request)
    : request.idempotencyKey === undefined
      ? Effect.succeed<A>(Object.assign({}, request, { idempotencyKey: headerKey }))
      : invalid({ idempotencyKey: ["must be the same as in the header Idempotency-Key"] })

/** Marks the response to a repeated request. */
export const markReplay = (replayed: boolean) =>
  replayed ? addHeaders({ "idempotent-replayed": "true" }) : Effect.void
