import { assert } from "@effect/vitest"
import { Array, Effect } from "effect"

/** Runs an effect concurrently: one run succeeds, the others fail with a conflict. Returns the result. */
export const oneSucceeds = <A, E extends { readonly _tag: string }, R>(
  effect: Effect.Effect<A, E, R>,
  resource: string,
  count = 4
) =>
  Effect.gen(function* () {
    const results = yield* Effect.replicateEffect(Effect.either(effect), count, { concurrency: "unbounded" })
    const [refused, [first, ...others]] = Array.separate(results)
    for (const error of refused) assert.deepInclude<object>({ ...error }, { _tag: "ConflictError", resource })
    assert.isEmpty(others)
    return first ?? assert.fail("no run succeeded")
  })
