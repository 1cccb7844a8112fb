import { assert, describe, it } from "@effect/vitest"
import { oldTransactionFinding } from "@switchboard/server/doctor/DoctorTransactions"

describe("switchboard doctor, open transactions", () => {
  it("reports ok without old transactions", () => {
    assert.deepStrictEqual(oldTransactionFinding([]), {
      level: "ok",
      subject: "Open transactions of the database server"
    })
  })

  it("warns of old transactions, each with the statement that ends it", () => {
    const { advice, level } = oldTransactionFinding([
      { name: "pg_dump, switchboard, process 7", ageSeconds: 3700.4, remedy: "SELECT pg_terminate_backend(7)" }
    ])
    assert.strictEqual(level, "warning")
    assert.deepStrictEqual(advice?.slice(1), [
      "SELECT pg_terminate_backend(7)  (pg_dump, switchboard, process 7, open for 1h 1m 40s)"
    ])
  })
})
