import { Effect } from "effect"
import { invalid } from "../Door.js"

/** The key may stand in the header, in the body, or the same in both. */
export const withHeaderKey = <A extends { readonly idempotencyKey?: string | undefined }>(
  request: A,
  headerKey: string | undefined
) =>
  headerKey === undefined || headerKey === request.idempotencyKey
    ? Effect.succeed(request)
    : request.idempotencyKey === undefined
      ? Effect.succeed<A>({ ...request, idempotencyKey: headerKey })
      : invalid({ idempotencyKey: ["must be the same as in the header Idempotency-Key"] })
