import { assert, it } from "@effect/vitest"
import { forgetRootFibers } from "@switchboard/server/run/ForgetRootFibers"
import { Effect, Fiber } from "effect"

it.effect("lists no more fibers without a parent", () =>
  Effect.gen(function* () {
    const listed = Effect.runFork(Effect.never)
    assert.include(Fiber.unsafeRoots(), listed)
    forgetRootFibers()
    const fiber = Effect.runFork(Effect.never)
    assert.notInclude(Fiber.unsafeRoots(), fiber)
    yield* Fiber.interruptAll([listed, fiber])
  })
)
