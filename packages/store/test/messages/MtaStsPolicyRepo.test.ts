import { SqlClient } from "@effect/sql"
import { assert, layer } from "@effect/vitest"
import { type MtaStsPolicy, MtaStsPolicyRepo } from "@switchboard/services/messages/delivery/MtaStsPolicyRepo"
import { MtaStsPolicyRepoSql } from "@switchboard/store/messages/MtaStsPolicyRepoSql"
import { DateTime, type Duration, Effect, Layer, Option } from "effect"
import { OwnDatabase } from "../TestDatabase.js"

const policy = (domain: string, changes: Partial<MtaStsPolicy> = {}, lasts: Duration.DurationInput = "1 day") =>
  Effect.map(
    DateTime.now,
    (now): MtaStsPolicy => ({
      domain,
      id: "20261130",
      mode: "enforce",
      mx: ["mx.example.com", "*.mail.example.com"],
      fetchedAt: now,
      expiresAt: DateTime.addDuration(now, lasts),
      ...changes
    })
  )

layer(Layer.provideMerge(MtaStsPolicyRepoSql, OwnDatabase), { excludeTestServices: true })(
  "MtaStsPolicyRepo on PostgreSQL",
  (it) => {
    it.effect("finds the policy of a domain as it was saved", () =>
      Effect.gen(function* () {
        const { find, save } = yield* MtaStsPolicyRepo
        const saved = yield* policy("one.example")
        yield* save(saved)
        assert.deepStrictEqual(yield* find("one.example"), Option.some(saved))
        assert.deepStrictEqual(yield* find("two.example"), Option.none())
        const without = yield* policy("none.example", { mode: "none", mx: [] })
        yield* save(without)
        assert.deepStrictEqual(yield* find("none.example"), Option.some(without))
      })
    )

    it.effect("replaces a policy, but not one that was fetched later", () =>
      Effect.gen(function* () {
        const { find, save } = yield* MtaStsPolicyRepo
        const old = yield* policy("changed.example", { id: "1" })
        const fresh = {
          ...old,
          id: "2",
          mode: "testing" as const,
          fetchedAt: DateTime.add(old.fetchedAt, { seconds: 1 })
        }
        yield* save(old)
        yield* save(fresh)
        assert.deepStrictEqual(yield* find("changed.example"), Option.some(fresh))
        yield* save(old)
        assert.deepStrictEqual(yield* find("changed.example"), Option.some(fresh))
      })
    )

    it.effect("deletes the expired policies alone", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const { deleteExpired, save } = yield* MtaStsPolicyRepo
        yield* sql`TRUNCATE mta_sts_policies`
        const now = yield* DateTime.now
        yield* save(yield* policy("expired.example", { expiresAt: DateTime.subtract(now, { seconds: 1 }) }))
        yield* save(yield* policy("valid.example"))
        assert.strictEqual(yield* deleteExpired, 1)
        assert.deepStrictEqual(yield* sql`SELECT domain FROM mta_sts_policies`, [{ domain: "valid.example" }])
      })
    )
  }
)
