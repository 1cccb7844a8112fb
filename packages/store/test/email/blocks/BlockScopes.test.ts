import { SqlClient } from "@effect/sql"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { v7 } from "uuid"
import { makeOrganization } from "../../messages/Fixtures.js"
import { OwnStoreLive } from "../../StoreLive.js"

layer(OwnStoreLive, { excludeTestServices: true })("The schema of block scopes", (it) => {
  it.effect("rejects a category in email_blocks, and no category in email_category_blocks", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const own = yield* makeOrganization()
      const into = (table: string, category: string) =>
        Effect.exit(
          sql`INSERT INTO ${sql(table)} ${sql.insert({
            organization_id: own,
            id: v7(),
            type: "email",
            value: "ada@example.com",
            category,
            reason: "manual",
            source: "api",
            created_at: new Date(),
            updated_at: new Date()
          })}`
        )
      assert.strictEqual((yield* into("email_blocks", "news"))._tag, "Failure")
      assert.strictEqual((yield* into("email_category_blocks", ""))._tag, "Failure")
      assert.strictEqual((yield* into("email_category_blocks", "news"))._tag, "Success")
    })
  )
})
