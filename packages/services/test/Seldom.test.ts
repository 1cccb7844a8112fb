import { assert, it } from "@effect/vitest"
import { Effect, TestClock } from "effect"
import { seldom } from "../src/Seldom.js"

it.effect("What everybody says at once is said once, and again if it lasts; another thing is said beside it", () =>
  Effect.gen(function* () {
    const said: Array<string> = []
    const say = (what: string) =>
      seldom(
        what,
        Effect.sync(() => void said.push(what))
      )
    const everybody = Effect.all([say("away"), say("away"), say("locked"), say("away")], { discard: true })
    yield* everybody
    yield* TestClock.adjust("29 seconds")
    yield* everybody
    assert.deepStrictEqual(said, ["away", "locked"])
    yield* TestClock.adjust("1 second")
    yield* everybody
    assert.deepStrictEqual(said, ["away", "locked", "away", "locked"])
  })
)
