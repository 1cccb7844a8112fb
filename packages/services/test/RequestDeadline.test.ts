import { assert, it } from "@effect/vitest"
import { RequestDeadline } from "@switchboard/services/RequestDeadline"
import { Effect } from "effect"
import { vi } from "vitest"

it.scoped("a request has one deadline for all its waits, and waits at the same time count once", () =>
  Effect.gen(function* () {
    yield* Effect.acquireRelease(
      Effect.sync(() => vi.useFakeTimers({ toFake: ["performance"] })),
      () => Effect.sync(() => vi.useRealTimers())
    )
    const caller = new RequestDeadline(1_000)
    const passes = (millis: number) => vi.advanceTimersByTime(millis)

    passes(300)
    assert.strictEqual(caller.left(), 1_000)
    caller.begin()
    passes(100)
    assert.strictEqual(caller.left(), 900)
    caller.begin()
    passes(100)
    caller.end()
    passes(100)
    caller.end()
    assert.strictEqual(caller.left(), 700)
    passes(300)
    caller.begin()
    passes(800)
    assert.strictEqual(caller.left(), -100)
  })
)
