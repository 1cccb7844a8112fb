import { SqlClient } from "@effect/sql"
import { assert, layer } from "@effect/vitest"
import { ForwardingId } from "@switchboard/domain/email/forwarding/ForwardingLog"
import { ForwardingRepo } from "@switchboard/services/email/forwarding/ForwardingRepo"
import { type ArrivedMail, InboundMails } from "@switchboard/services/email/receiving/InboundMails"
import { ReceivedMessages } from "@switchboard/services/email/receiving/ReceivedMessages"
import { type Erasure, ErasureRepo } from "@switchboard/services/erasure/ErasureRepo"
import { objectsInMemory } from "@switchboard/services/testing/objects/ObjectsInMemory"
import { ForwardingRepoSql } from "@switchboard/store/email/forwarding/ForwardingRepoSql"
import { ReceivedMessageRepoSql } from "@switchboard/store/email/receiving/ReceivedMessageRepoSql"
import { ErasureRepoSql } from "@switchboard/store/erasure/ErasureRepoSql"
import { Effect, Layer, Option } from "effect"
import { v7 } from "uuid"
import { address, arrived, Live as Mails, options } from "../email/receiving/Fixtures.js"
import { authentication, readMail } from "../email/receiving/MailFixtures.js"
import { makeOrganization } from "../messages/Fixtures.js"

const Live = Layer.mergeAll(
  ErasureRepoSql,
  ForwardingRepoSql,
  ReceivedMessages.Default.pipe(Layer.provide(Layer.merge(objectsInMemory(), ReceivedMessageRepoSql)))
).pipe(Layer.provideMerge(Mails))

const ada = address("ada@example.com")

/** A mail of somebody else's that waits to be read; what its header and its body say. */
const waits = Effect.fnUntraced(function* (
  given: Partial<ArrivedMail> = {},
  header = "From: bob@example.com",
  body = ""
) {
  const organization = yield* makeOrganization()
  const raw = Buffer.from(`${header}\r\nSubject: ${v7()}\r\n\r\n${body}\r\n`)
  const mail = yield* arrived(organization, { mailFrom: "bob@example.com", raw, ...given })
  yield* Effect.flatMap(InboundMails, ({ store }) => store([mail]))
  const erasure: Erasure = { address: ada, organization: Option.some(organization) }
  return { mail, organization, erasure }
})

const forwarded = (mail: ArrivedMail, forwardTo: string, keepCopy: boolean) =>
  Effect.flatMap(ForwardingRepo, ({ decide }) =>
    decide(mail.organizationId, mail.id, [
      {
        id: ForwardingId.make(v7()),
        ruleId: null,
        domainId: null,
        recipients: ["support@shop.test"],
        keepCopy,
        forwardTo: address(forwardTo),
        viaDomain: "shop.test",
        loop: null,
        createdAt: mail.receivedAt
      }
    ])
  )

const isThere = (table: string, { id }: ArrivedMail, column = "id") =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    Effect.map(sql`SELECT 1 FROM ${sql(table)} WHERE ${sql(column)} = ${id}`, (rows) => rows.length > 0)
  )

layer(Live, options)("What is on its way when a person is forgotten", (it) => {
  it.effect("is withdrawn where they wrote it, by envelope or header, and by nothing else", () =>
    Effect.gen(function* () {
      const { onTheWay, withdrawMails } = yield* ErasureRepo
      for (const [given, header, body, count] of [
        [{ mailFrom: "Ada@Example.com" }, undefined, "", 1],
        [{}, "Received: from x\r\nFROM:\r\n Ada Lovelace\r\n\t<ADA@example.com>", "", 1],
        [{}, undefined, "From: ada@example.com", 0],
        [{}, "From: bob@example.com\r\nCc: ada@example.com", "\r\nFrom: ada@example.com", 0],
        [{}, "X-From: ada@example.com", "", 0],
        [{ mailFrom: "xada@example.com" }, "From: ada@example.com.test", "", 0]
      ] as const) {
        const { erasure, mail } = yield* waits(given, header, body)
        assert.strictEqual(yield* withdrawMails(erasure), count, header)
        assert.strictEqual(yield* withdrawMails(erasure), 0)
        assert.strictEqual(yield* isThere("inbound_queue", mail), count === 0)
        const isNamed = count === 0 && given.mailFrom === undefined
        assert.strictEqual(yield* onTheWay(erasure), isNamed ? 1 : 0, header)
      }
    })
  )

  it.effect("comes back from no worker that was reading it", () =>
    Effect.gen(function* () {
      const { withdrawMails } = yield* ErasureRepo
      const { receive } = yield* ReceivedMessages
      const { erasure, mail } = yield* waits({ mailFrom: ada })
      assert.strictEqual(yield* withdrawMails(erasure), 1)
      yield* receive(mail, readMail(), authentication)
      assert.isFalse(yield* isThere("messages", mail))
      assert.deepStrictEqual(yield* forwarded(mail, "eve@example.com", true), [])
    })
  )

  it.effect("goes on to them no more, and is received where no copy was kept, once nobody looks at it", () =>
    Effect.gen(function* () {
      const { onTheWay, stopForwarding } = yield* ErasureRepo
      const sql = yield* SqlClient.SqlClient
      const { erasure, mail } = yield* waits()
      yield* forwarded(mail, "Ada@example.com", false)
      yield* forwarded((yield* waits()).mail, ada, true)
      assert.strictEqual(yield* stopForwarding(erasure), 0)
      assert.strictEqual(yield* onTheWay(erasure), 1)
      yield* sql`DELETE FROM inbound_queue WHERE id = ${mail.id}`
      yield* sql`UPDATE inbound_mails SET processed_at = now() WHERE id = ${mail.id}`
      assert.strictEqual(yield* stopForwarding(erasure), 1)
      assert.isTrue(yield* isThere("inbound_queue", mail))
      assert.strictEqual(yield* onTheWay(erasure), 0)
      assert.deepStrictEqual(yield* sql`SELECT status, error FROM forwardings WHERE mail_id = ${mail.id}`, [
        { status: "failed", error: "The address was erased" }
      ])
      // Another organization goes on sending.
      assert.deepStrictEqual(yield* sql`SELECT count(*)::int AS count FROM forwarding_queue`, [{ count: 1 }])
    })
  )

  it.effect("keeps what others wrote until it has gone on", () =>
    Effect.gen(function* () {
      const { eraseMails, onTheWay } = yield* ErasureRepo
      const sql = yield* SqlClient.SqlClient
      const { erasure, mail } = yield* waits({}, undefined, "Ask ada@example.com")
      assert.strictEqual(yield* eraseMails(erasure), 0)
      yield* forwarded(mail, "eve@example.com", false)
      yield* sql`DELETE FROM inbound_queue WHERE id = ${mail.id}`
      yield* sql`UPDATE inbound_mails SET processed_at = now() WHERE id = ${mail.id}`
      assert.deepStrictEqual([yield* onTheWay(erasure), yield* eraseMails(erasure)], [1, 0])
      yield* sql`UPDATE forwardings SET status = 'forwarded' WHERE mail_id = ${mail.id}`
      yield* sql`DELETE FROM forwarding_queue WHERE organization_id = ${mail.organizationId}`
      assert.deepStrictEqual([yield* onTheWay(erasure), yield* eraseMails(erasure)], [0, 1])
    })
  )
})
