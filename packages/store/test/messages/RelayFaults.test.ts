import { assert, layer } from "@effect/vitest"
import { RelayFaults } from "@switchboard/services/messages/delivery/MailTransport"
import { RelayFaultsSql } from "@switchboard/store/messages/RelayFaultsSql"
import { DateTime, Effect, Layer, Option } from "effect"
import { OwnDatabase } from "../TestDatabase.js"

layer(Layer.provide(RelayFaultsSql, OwnDatabase), { excludeTestServices: true })("RelayFaults", (it) => {
  it.effect("stores the last time of each relay", () =>
    Effect.gen(function* () {
      const { find, record } = yield* RelayFaults
      yield* record("one.example:25")
      const first = Option.getOrThrow(yield* find("one.example:25"))
      yield* record("one.example:25")
      assert.isTrue(DateTime.greaterThan(Option.getOrThrow(yield* find("one.example:25")), first))
      assert.isTrue(Option.isNone(yield* find("two.example:25")))
    })
  )
})
