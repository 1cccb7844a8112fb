import type { HttpApiMiddleware, HttpRouter } from "@effect/platform"
import { type Context, Effect, Predicate, Redacted } from "effect"

/** Authenticates a request, by the credential of its scheme. */
type Scheme = (credential: Redacted.Redacted<string>) => Effect.Effect<unknown, unknown, HttpRouter.HttpRouter.Provided>

/** The types of the declaration guarantee that a middleware has such a function for each scheme. */
const isScheme = (value: unknown): value is Scheme => Predicate.isFunction(value)

/** Middlewares read their credential from the request: the platform would read one header only. */
const unread = Redacted.make("")

/** Authenticates requests by a middleware of `services`, which declares one security scheme. */
export const authenticateBy = (tag: HttpApiMiddleware.TagClassAny, services: Context.Context<never>) => {
  const schemes: unknown = services.unsafeMap.get(tag.key)
  const [scheme] = Predicate.isRecord(schemes) ? Object.values(schemes) : []
  if (!isScheme(scheme)) return Effect.dieMessage(`The middleware ${tag.key} has no security scheme`)
  return Effect.suspend(() => scheme(unread))
}
