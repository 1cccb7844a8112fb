import { Effect, Option } from "effect"
import { invalid } from "../Door.js"

interface Keyed {
  readonly idempotencyKey?: string | undefined
}

/** The request with the key of its header, unless its own is another. */
export const withIdempotencyKey = <A extends Keyed>(request: A, headerKey: string): Option.Option<A> =>
  headerKey === request.idempotencyKey
    ? Option.some(request)
    : request.idempotencyKey === undefined
      ? Option.some<A>({ ...request, idempotencyKey: headerKey })
      : Option.none()

/** The key may stand in the header, in the body, or the same in both. */
export const withHeaderKey = <A extends Keyed>(request: A, headerKey: string | undefined) =>
  headerKey === undefined
    ? Effect.succeed(request)
    : Option.match(withIdempotencyKey(request, headerKey), {
        onNone: () => invalid({ idempotencyKey: ["must be the same as in the header Idempotency-Key"] }),
        onSome: Effect.succeed
      })
