import { SqlClient } from "@effect/sql"
import { assert, layer } from "@effect/vitest"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { Effect, Random } from "effect"
import { v7 } from "uuid"
import { makeOrganization } from "../messages/Fixtures.js"
import { OwnStoreLive } from "../StoreLive.js"

const someOf = (values: ReadonlyArray<string>) =>
  Random.shuffle(values).pipe(
    Effect.map((shuffled) => [...shuffled]),
    Effect.zipWith(Random.nextIntBetween(1, values.length), (shuffled, number) => shuffled.slice(0, number))
  )

const insert = Effect.fnUntraced(function* (organization: OrganizationId) {
  const sql = yield* SqlClient.SqlClient
  const channels = yield* someOf(["email", "sms", "voice"])
  const tags = yield* someOf(["vip", "late", "email", "channel:sms"])
  yield* sql`INSERT INTO conversations (organization_id, id, channels, tags, categories, status, priority, urgency,
      complexity, is_test, is_internal, is_private, started_at, created_at, updated_at)
    VALUES (${organization}, ${v7()}, ${channels}, ${tags}, '{}', 'active', 2, 'low', 'simple', false, false, false,
      now(), now(), now())`
})

const relabel = Effect.fnUntraced(function* (organization: OrganizationId) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`UPDATE conversations SET tags = ${yield* someOf(["vip", "late", "new"])} WHERE id = (
    SELECT id FROM conversations WHERE organization_id = ${organization} ORDER BY random() LIMIT 1)`
})

const labels = Effect.fnUntraced(function* (organization: OrganizationId) {
  const sql = yield* SqlClient.SqlClient
  const lines = (rows: ReadonlyArray<{ readonly line: string }>) => rows.map(({ line }) => line)
  const stored = yield* sql<{ line: string }>`SELECT conversation_id || ' ' || label AS line FROM conversation_labels
    WHERE organization_id = ${organization} ORDER BY line`
  const counted = yield* sql<{ line: string }>`SELECT id || ' ' || label AS line FROM conversations CROSS JOIN LATERAL (
      SELECT 'tag:' || unnest(tags) AS label UNION SELECT 'channel:' || unnest(channels)) AS l
    WHERE organization_id = ${organization} ORDER BY line`
  return { stored: lines(stored), counted: lines(counted) }
})

layer(OwnStoreLive, { excludeTestServices: true })("The labels of conversations", (it) => {
  it.effect("equal their channels and tags while they change", () =>
    Effect.gen(function* () {
      const organization = yield* makeOrganization()
      yield* Effect.replicateEffect(insert(organization), 20, { concurrency: 4 })
      const first = yield* labels(organization)
      assert.isAbove(first.stored.length, 40)
      assert.deepStrictEqual(first.stored, first.counted)
      const changes = Effect.replicateEffect(relabel(organization), 30, { concurrency: 4, discard: true })
      yield* Effect.all([changes, insert(organization)], { concurrency: 2 })
      const { counted, stored } = yield* labels(organization)
      assert.deepStrictEqual(stored, counted)
    }).pipe(Effect.withRandom(Random.make("labels")))
  )
})
