import { SqlClient } from "@effect/sql"
import { assert, layer } from "@effect/vitest"
import type { MessageId } from "@switchboard/domain/messages/Message"
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
  it.effect("has those of all messages", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { remove } = yield* MessageRepo
      const organization = yield* makeOrganization()
      yield* Effect.replicateEffect(send(organization), 30, { concurrency: 10 })
      const { expected, stored } = yield* tagsOf(organization)
      assert.isAbove(stored.length, 40)
      assert.deepStrictEqual(stored, expected)
      const some = yield* sql<{
        id: MessageId
      }>`SELECT id FROM messages WHERE organization_id = ${organization} LIMIT 20`
      yield* Effect.forEach(some, ({ id }) => remove(organization, id), { concurrency: 4 })
      const left = yield* tagsOf(organization)
      assert.isNotEmpty(left.stored)
      assert.deepStrictEqual(left.stored, left.expected)
    }).pipe(Effect.withRandom(Random.make("tags")))
  )
})
