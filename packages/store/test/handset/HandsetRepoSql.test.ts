import { SqlClient } from "@effect/sql"
import { assert, layer } from "@effect/vitest"
import { HandsetTextId } from "@switchboard/domain/handset/HandsetText"
import { MessageId } from "@switchboard/domain/messages/Message"
import { HandsetRepo, type ReceivedHandsetText } from "@switchboard/services/handset/HandsetRepo"
import { newId } from "@switchboard/services/NewId"
import { HandsetRepoSql } from "@switchboard/store/handset/HandsetRepoSql"
import { DateTime, Effect, Layer, Option } from "effect"
import { makeOrganization } from "../messages/Fixtures.js"
import { OwnLive } from "../messages/QueueFixtures.js"

const received = (changes: Partial<ReceivedHandsetText> = {}) =>
  Effect.map(
    newId(HandsetTextId),
    ({ id }): ReceivedHandsetText => ({
      id,
      channel: "sms",
      request: null,
      from: "+4915100000000",
      to: "+4917000000000",
      text: "Hello 😀",
      encoding: "ucs2",
      segments: 1,
      receivedAt: DateTime.unsafeMake("2026-11-20T09:30:00.000Z"),
      ...changes
    })
  )

layer(Layer.provideMerge(HandsetRepoSql, OwnLive), { excludeTestServices: true })("HandsetRepoSql", (it) => {
  it.effect("finds and lists the texts of the organization that has the sending number", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const repo = yield* HandsetRepo
      const own = yield* makeOrganization()
      const other = yield* makeOrganization()
      yield* sql`INSERT INTO numbers (number, organization_id, channels, created_at)
        VALUES ('+4915100000000', ${own}, '{sms}', now()), ('MyShop', ${other}, '{sms}', now())`
      const first = yield* received()
      const second = yield* received({ text: "Second", encoding: "gsm7", segments: 3 })
      const foreign = yield* received({ from: "MyShop" })
      const unowned = yield* received({ from: "+4915199999999" })
      yield* Effect.all([first, second, foreign, unowned].map(repo.insert), { concurrency: "unbounded" })
      // A repeat changes nothing.
      yield* repo.insert(first)
      const message = MessageId.make(crypto.randomUUID())
      yield* sql`INSERT INTO provider_messages (channel, provider_message_id, organization_id, message_id, recipient)
        VALUES ('sms', ${first.id}, ${own}, ${message}, ${first.to})`

      const page = yield* repo.list(own, { page: 1, limit: 20 })
      assert.deepStrictEqual(
        page.items.map((text) => ({ ...text })),
        [
          { ...second, messageId: null },
          { ...first, messageId: message }
        ]
      )
      assert.strictEqual(page.pagination.total, 2)
      assert.deepStrictEqual(Option.getOrThrow(yield* repo.find(other, foreign.id)).from, "MyShop")
      assert.isTrue(Option.isNone(yield* repo.find(own, foreign.id)))
      assert.isTrue(Option.isNone(yield* repo.find(own, unowned.id)))
    })
  )
})
