import { SqlClient } from "@effect/sql"
import { assert, layer } from "@effect/vitest"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { M0021BlockScopes } from "@switchboard/store/migrations/M0021BlockScopes"
import { Effect } from "effect"
import { v7 } from "uuid"
import { makeOrganization } from "../../messages/Fixtures.js"
import { OwnStoreLive } from "../../StoreLive.js"

/** The statements of the previous release, as far as they depend on the schema. */
const previous = {
  insert: /* sql */ `
    INSERT INTO email_blocks (organization_id, id, type, value, reason, source, created_at, updated_at)
    VALUES ($1, $2, 'email', $3, $4, 'api', now(), now())
    ON CONFLICT (organization_id, type, value) DO NOTHING RETURNING id`,
  log: /* sql */ `
    INSERT INTO email_block_logs (organization_id, id, block_id, email, message_id, action, created_at)
    VALUES ($1, $2, $2, $3, NULL, 'added', now())`,
  find: /* sql */ `
    SELECT b.id, b.reason FROM email_blocks AS b
    WHERE b.organization_id = $1 AND b.type = 'email' AND b.value = $2 AND b.expires_at IS NULL`,
  lock: /* sql */ `
    SELECT b.id FROM (VALUES ($1::uuid, 'email', $2)) AS g(organization_id, type, value) CROSS JOIN LATERAL (
      SELECT * FROM email_blocks AS b
      WHERE b.organization_id = g.organization_id AND b.type = g.type AND b.value = g.value FOR UPDATE
    ) AS b`,
  update:
    "UPDATE email_blocks SET expires_at = now(), hit_count = hit_count + 1 WHERE organization_id = $1 AND id = $2",
  remove: "DELETE FROM email_blocks WHERE organization_id = $1 AND id = $2 RETURNING id"
}

const run = (statement: keyof typeof previous, ...parameters: ReadonlyArray<unknown>) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    sql.unsafe<{ readonly id: string; readonly reason: string }>(previous[statement], parameters)
  )

/** Stores a block for an address like the previous release. */
const insert = (own: OrganizationId, address: string, reason: string) => run("insert", own, v7(), address, reason)

const rows = (own: OrganizationId) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    Effect.map(
      sql<{ value: string; category: string; hit_count: number }>`SELECT value, category, hit_count FROM email_blocks
        WHERE organization_id = ${own} ORDER BY value, category`,
      (found) => found.map(({ category, hit_count, value }) => `${value} ${category} ${hit_count}`)
    )
  )

layer(OwnStoreLive, { excludeTestServices: true })("The schema of block scopes", (it) => {
  it.effect("accepts the statements of the previous release, which treats a category's block as one on all mail", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const own = yield* makeOrganization()
      const [ada, grace] = ["ada@example.com", "grace@example.com"]
      const category = (value: string, name: string) =>
        sql`INSERT INTO email_category_blocks ${sql.insert({
          organization_id: own,
          id: v7(),
          type: "email",
          value,
          category: name,
          reason: "unsubscribe",
          source: "recipient",
          created_at: new Date(),
          updated_at: new Date()
        })}`
      yield* category(ada, "marketing")
      yield* category(grace, "marketing")
      yield* category(grace, "news")
      assert.lengthOf(yield* run("find", own, ada), 1)
      assert.lengthOf(yield* run("find", own, grace), 2)
      assert.lengthOf(yield* insert(own, ada, "hard_bounce"), 1)
      assert.lengthOf(yield* insert(own, ada, "complaint"), 0)
      yield* run("log", own, v7(), ada)
      assert.lengthOf(yield* run("lock", own, ada), 2)
      for (const { id } of yield* run("find", own, grace)) yield* run("update", own, id)
      assert.lengthOf(yield* run("find", own, grace), 0)
      assert.deepStrictEqual(yield* rows(own), [
        `${ada}  0`,
        `${ada} marketing 0`,
        `${grace} marketing 1`,
        `${grace} news 1`
      ])
      for (const { id } of yield* run("find", own, ada)) assert.lengthOf(yield* run("remove", own, id), 1)
      assert.lengthOf(yield* rows(own), 2)
    })
  )

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

  it.effect("moves earlier unsubscribes to the category marketing, and keeps other blocks on all mail", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const own = yield* makeOrganization()
      yield* Effect.gen(function* () {
        yield* sql`DROP TABLE email_category_blocks`
        yield* sql`ALTER TABLE email_blocks DROP COLUMN category`
        yield* sql`ALTER TABLE email_block_logs DROP COLUMN category`
        for (const reason of ["hard_bounce", "complaint", "unsubscribe", "manual"]) {
          const [block] = yield* insert(own, `${reason}@example.com`, reason)
          yield* run("update", own, block?.id)
        }
        yield* sql.unsafe(M0021BlockScopes)
        assert.deepStrictEqual(yield* rows(own), [
          "complaint@example.com  1",
          "hard_bounce@example.com  1",
          "manual@example.com  1",
          "unsubscribe@example.com marketing 1"
        ])
        const [, , , moved] = yield* sql`SELECT * FROM email_blocks WHERE organization_id = ${own} ORDER BY value`
        assert.isNotNull(moved?.expires_at)
      }).pipe(sql.withTransaction)
    })
  )
})
