import { GlobalValue } from "effect"

/**
 * Stops Effect from adding each fiber without a parent to a set, which only `Fiber.roots` reads. V8 replaces the table of
 * a set again and again while elements come and go, and a former table refers to the next one. After a table has reached
 * the old generation, all later ones survive minor garbage collections, and with them every request.
 */
export const forgetRootFibers = (): void => {
  const scope = GlobalValue.globalValue(
    Symbol.for("effect/FiberScope/Global"),
    (): { add: (flags: number, fiber: unknown) => void } => ({ add: () => undefined })
  )
  scope.add = () => undefined
}
