import { SqlClient } from "@effect/sql"
import { assert, layer } from "@effect/vitest"
import { Conversation } from "@switchboard/domain/conversations/Conversation"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { ConversationRepo } from "@switchboard/services/conversations/ConversationRepo"
import { newConversation } from "@switchboard/services/conversations/Conversations"
import { Effect, Random } from "effect"
import { makeOrganization } from "../messages/Fixtures.js"
import { OwnStoreLive } from "../StoreLive.js"

const someOf = <A>(values: ReadonlyArray<A>) =>
  Random.shuffle(values).pipe(
    Effect.map((shuffled) => [...shuffled]),
    Effect.zipWith(Random.nextIntBetween(1, values.length), (shuffled, number) => shuffled.slice(0, number))
  )

const insert = Effect.fnUntraced(function* (organization: OrganizationId) {
  const channels = yield* someOf(["email", "sms", "voice"] as const)
  const tags = yield* someOf(["vip", "late", "email", "channel:sms"])
  const conversation = yield* newConversation(organization, { channels, tags })
  return yield* (yield* ConversationRepo).insert({ conversation, eventTypes: ["conversation.created"] }, [])
})

const relabel = Effect.fnUntraced(function* (organization: OrganizationId, { id }: Conversation) {
  const tags = yield* someOf(["vip", "late", "new"])
  const { change } = yield* ConversationRepo
  yield* change(organization, id, (before) =>
    Effect.succeed({
      conversation: new Conversation({ ...before, tags }, { disableValidation: true }),
      eventTypes: ["conversation.updated"]
    })
  )
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
  it.effect("equal their channels and tags after concurrent changes", () =>
    Effect.gen(function* () {
      const organization = yield* makeOrganization()
      const inserted = yield* Effect.replicateEffect(insert(organization), 20, { concurrency: 4 })
      const first = yield* labels(organization)
      assert.isAbove(first.stored.length, 40)
      assert.deepStrictEqual(first.stored, first.counted)
      const changed = [...inserted.slice(0, 8), ...inserted.slice(0, 8), ...inserted.slice(0, 8)]
      yield* Effect.forEach(changed, (one) => relabel(organization, one), { concurrency: 4, discard: true })
      const { counted, stored } = yield* labels(organization)
      assert.deepStrictEqual(stored, counted)
    }).pipe(Effect.withRandom(Random.make("labels")))
  )
})
