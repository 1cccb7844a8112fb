import { assert, it } from "@effect/vitest"
import { forgetRootFibers } from "@switchboard/server/run/Run"
import { Effect, Fiber, GlobalValue } from "effect"

/** The list of fibers without a parent, which the other files of the worker use too. */
const roots = GlobalValue.globalValue(Symbol.for("effect/FiberScope/Global"), () => ({ add: () => undefined }))

it.scoped("lists no more fibers without a parent", () =>
  Effect.gen(function* () {
    const listed = Effect.runFork(Effect.never)
    assert.include(Fiber.unsafeRoots(), listed)
    yield* Effect.acquireRelease(
      Effect.sync(() => roots.add),
      (add) => Effect.sync(() => Object.assign(roots, { add }))
    )
    forgetRootFibers()
    const fiber = Effect.runFork(Effect.never)
    assert.notInclude(Fiber.unsafeRoots(), fiber)
    yield* Fiber.interruptAll([listed, fiber])
  })
)

it.effect("is undone for the files that follow", () =>
  Effect.gen(function* () {
    const listed = Effect.runFork(Effect.never)
    assert.include(Fiber.unsafeRoots(), listed)
    yield* Fiber.interrupt(listed)
  })
)
