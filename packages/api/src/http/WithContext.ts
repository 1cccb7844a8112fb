import type { HttpApiMiddleware } from "@effect/platform"
import { type Context, Effect, FiberRef } from "effect"

/** The services of middlewares are used before. */
type Middleware = HttpApiMiddleware.HttpApiMiddleware.AnyId

/**
 * Runs an effect with these services. The fiber keeps them: each request has its own fiber. `Effect.provide` restores the
 * earlier services, which costs nine times as many operations.
 */
export function withContext<A, E, R>(
  effect: Effect.Effect<A, E, R>,
  context: Context.Context<Exclude<R, Middleware>>
): Effect.Effect<A, E>
export function withContext(
  effect: Effect.Effect<unknown, unknown, unknown>,
  context: Context.Context<never>
): Effect.Effect<unknown, unknown, unknown> {
  return Effect.zipRight(FiberRef.set(FiberRef.currentContext, context), effect)
}
