import { assert, it } from "@effect/vitest"
import { RequestDeadline } from "@switchboard/services/RequestDeadline"
import { Effect } from "effect"
import { vi } from "vitest"

it.scoped("RequestDeadline subtracts the time spent in waits and counts concurrent waits once", () =>
  Effect.gen(function* () {
    yield* Effect.acquireRelease(
      Effect.sync(() => vi.useFakeTimers({ toFake: ["performance"] })),
      () => Effect.sync(() => vi.useRealTimers())
    )
    const deadline = new RequestDeadline(1_000)
    const advance = (millis: number) => vi.advanceTimersByTime(millis)

    advance(300)
    assert.strictEqual(deadline.left(), 1_000)
    deadline.begin()
    advance(100)
    assert.strictEqual(deadline.left(), 900)
    deadline.begin()
    advance(100)
    deadline.end()
    advance(100)
    deadline.end()
    assert.strictEqual(deadline.left(), 700)
    advance(300)
    deadline.begin()
    advance(800)
    assert.strictEqual(deadline.left(), -100)
  })
)
