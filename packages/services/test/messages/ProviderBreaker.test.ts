import { assert, describe, it } from "@effect/vitest"
import { type ProviderBreaker, ProviderBreakers } from "@switchboard/services/messages/delivery/ProviderBreaker"
import { Effect, Option, TestClock } from "effect"

const reportSilences = (breaker: ProviderBreaker, count: number) =>
  Effect.map(Effect.replicateEffect(breaker.silent, count), (all) => all.filter(Option.isSome).length)

describe("The breaker of a provider", () => {
  it.effect("opens after 5 attempts in a row without a reply", () =>
    Effect.gen(function* () {
      const breaker = (yield* ProviderBreakers).sms
      assert.strictEqual(yield* reportSilences(breaker, 4), 0)
      yield* breaker.answered
      assert.strictEqual(yield* reportSilences(breaker, 4), 0)
      assert.strictEqual((yield* breaker.peek)._tag, "All")
      assert.strictEqual(yield* reportSilences(breaker, 4), 1)
      assert.strictEqual((yield* breaker.peek)._tag, "None")
    }).pipe(Effect.provide(ProviderBreakers.Default))
  )

  it.effect("stays open after a probe without a reply, and closes after one with a reply", () =>
    Effect.gen(function* () {
      const breaker = (yield* ProviderBreakers).sms
      yield* reportSilences(breaker, 5)
      yield* TestClock.adjust("2 seconds")
      assert.strictEqual((yield* breaker.enter)._tag, "Probe")
      assert.isTrue(Option.isSome(yield* breaker.silent))
      assert.strictEqual((yield* breaker.peek)._tag, "None")
      yield* TestClock.adjust("1 minute")
      assert.strictEqual((yield* breaker.enter)._tag, "Probe")
      yield* breaker.answered
      assert.strictEqual((yield* breaker.peek)._tag, "All")
    }).pipe(Effect.provide(ProviderBreakers.Default))
  )
})
