import { SqlClient } from "@effect/sql"
import { assert, layer } from "@effect/vitest"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { MessageRepo } from "@switchboard/services/messages/MessageRepo"
import { Effect, Random } from "effect"
import { makeOrganization, newMessage } from "./Fixtures.js"
import { OwnLive } from "./QueueFixtures.js"

const someOf = (values: ReadonlyArray<string>) =>
  Random.shuffle(values).pipe(
    Effect.map((shuffled) => [...shuffled]),
    Effect.zipWith(Random.nextIntBetween(0, values.length), (shuffled, number) => shuffled.slice(0, number))
  )

const send = Effect.fnUntraced(function* (organization: OrganizationId) {
  const { accept } = yield* MessageRepo
  const { facts, ...message } = yield* newMessage(organization)
  // A message can have a tag twice.
  const tags = yield* someOf(["vip", "vip", "late", "email", '"', "ü,{}"])
  yield* accept({ ...message, facts: { ...facts, tags } })
})

const anyMessage = (organization: OrganizationId) =>
  Effect.map(
    SqlClient.SqlClient,
    (sql) => sql`SELECT id FROM messages WHERE organization_id = ${organization} ORDER BY random() LIMIT 1`
  )

const retag = Effect.fnUntraced(function* (organization: OrganizationId) {
  const sql = yield* SqlClient.SqlClient
  const tags = yield* someOf(["vip", "late", "late", "new"])
  yield* sql`UPDATE messages SET tags = ${tags} WHERE id = (${yield* anyMessage(organization)})`
})

const remove = Effect.fnUntraced(function* (organization: OrganizationId) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`DELETE FROM messages WHERE id = (${yield* anyMessage(organization)})`
})

const tagsOf = Effect.fnUntraced(function* (organization: OrganizationId) {
  const sql = yield* SqlClient.SqlClient
  const lines = (rows: ReadonlyArray<{ readonly line: string }>) => rows.map(({ line }) => line)
  const stored = yield* sql<{ line: string }>`SELECT message_id || ' ' || tag AS line FROM message_tags
    WHERE organization_id = ${organization} ORDER BY line`
  const expected = yield* sql<{ line: string }>`SELECT DISTINCT id || ' ' || unnest(tags) AS line FROM messages
    WHERE organization_id = ${organization} ORDER BY line`
  return { stored: lines(stored), expected: lines(expected) }
})

layer(OwnLive, { excludeTestServices: true })("The table of tags", (it) => {
  it.effect("has those of all messages while they change", () =>
    Effect.gen(function* () {
      const organization = yield* makeOrganization()
      yield* Effect.replicateEffect(send(organization), 30, { concurrency: 10 })
      const first = yield* tagsOf(organization)
      assert.isAbove(first.stored.length, 40)
      assert.deepStrictEqual(first.stored, first.expected)

      const tenTimes = <A, E, R>(change: Effect.Effect<A, E, R>) =>
        Effect.replicateEffect(change, 10, { concurrency: 2, discard: true })
      yield* Effect.all([tenTimes(retag(organization)), tenTimes(remove(organization)), tenTimes(send(organization))], {
        concurrency: 3
      })
      const { expected, stored } = yield* tagsOf(organization)
      assert.deepStrictEqual(stored, expected)
    }).pipe(Effect.withRandom(Random.make("tags")))
  )
})
