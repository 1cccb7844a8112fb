import { SqlClient } from "@effect/sql"
import { assert, layer } from "@effect/vitest"
import { ForwardingId } from "@switchboard/domain/email/forwarding/ForwardingRule"
import { ForwardingRepo } from "@switchboard/services/email/forwarding/ForwardingRepo"
import { type ArrivedMail, InboundMails } from "@switchboard/services/email/receiving/InboundMail"
import { ReceivedMessages } from "@switchboard/services/email/receiving/ReceivedMessages"
import { type Erasure, ErasureRepo } from "@switchboard/services/erasure/ErasureRepo"
import { objectsInMemory } from "@switchboard/services/testing/objects/ObjectsInMemory"
import { Effect, Layer, Option } from "effect"
import { v7 } from "uuid"
import { address, arrived, options } from "../email/receiving/Fixtures.js"
import { authentication, readMail } from "../email/receiving/MailFixtures.js"
import { makeOrganization } from "../messages/Fixtures.js"
import { StoreLive } from "../StoreLive.js"

const Live = ReceivedMessages.Default.pipe(Layer.provide(objectsInMemory()), Layer.provideMerge(StoreLive))

const ada = address("ada@example.com")

/** Stores an unprocessed mail of another sender, with a header and a body. */
const storeMail = Effect.fnUntraced(function* (
  overrides: Partial<ArrivedMail> = {},
  header = "From: bob@example.com",
  body = ""
) {
  const organization = yield* makeOrganization()
  const raw = Buffer.from(`${header}\r\nSubject: ${v7()}\r\n\r\n${body}\r\n`)
  const mail = yield* arrived(organization, { mailFrom: "bob@example.com", raw, ...overrides })
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

layer(Live, options)("Unprocessed mails at an erasure", (it) => {
  it.effect("are withdrawn if the person is the sender by envelope or header", () =>
    Effect.gen(function* () {
      const { stillQueued, withdrawReceived } = yield* ErasureRepo
      for (const [overrides, header, body, count] of [
        [{ mailFrom: "Ada@Example.com" }, undefined, "", 1],
        [{}, "Received: from x\r\nFROM:\r\n Ada Lovelace\r\n\t<ADA@example.com>", "", 1],
        [{}, undefined, "From: ada@example.com", 0],
        [{}, "From: bob@example.com\r\nCc: ada@example.com", "\r\nFrom: ada@example.com", 0],
        [{}, "X-From: ada@example.com", "", 0],
        [{ mailFrom: "xada@example.com" }, "From: ada@example.com.test", "", 0]
      ] as const) {
        const { erasure, mail } = yield* storeMail(overrides, header, body)
        assert.strictEqual(yield* withdrawReceived(erasure), count, header)
        assert.strictEqual(yield* withdrawReceived(erasure), 0)
        assert.strictEqual(yield* isThere("inbound_queue", mail), count === 0)
        const isNamed = count === 0 && overrides.mailFrom === undefined
        assert.strictEqual(yield* stillQueued(erasure), isNamed ? 1 : 0, header)
      }
    })
  )

  it.effect("are not restored by a worker that was reading them", () =>
    Effect.gen(function* () {
      const { withdrawReceived } = yield* ErasureRepo
      const { receive } = yield* ReceivedMessages
      const { erasure, mail } = yield* storeMail({ mailFrom: ada })
      assert.strictEqual(yield* withdrawReceived(erasure), 1)
      yield* receive(mail, readMail(), authentication)
      assert.isFalse(yield* isThere("messages", mail))
      assert.deepStrictEqual(yield* forwarded(mail, "eve@example.com", true), [])
    })
  )

  it.effect(
    "are no longer forwarded to the person; without a local copy they are received after no worker reads them",
    () =>
      Effect.gen(function* () {
        const { stillQueued, stopForwarding } = yield* ErasureRepo
        const sql = yield* SqlClient.SqlClient
        const { erasure, mail } = yield* storeMail()
        yield* forwarded(mail, "Ada@example.com", false)
        const { mail: other, organization } = yield* storeMail()
        yield* forwarded(other, ada, true)
        assert.strictEqual(yield* stopForwarding(erasure), 0)
        assert.strictEqual(yield* stillQueued(erasure), 1)
        yield* sql`DELETE FROM inbound_queue WHERE id = ${mail.id}`
        yield* sql`UPDATE inbound_mails SET processed_at = now() WHERE id = ${mail.id}`
        assert.strictEqual(yield* stopForwarding(erasure), 1)
        assert.isTrue(yield* isThere("inbound_queue", mail))
        assert.strictEqual(yield* stillQueued(erasure), 0)
        assert.deepStrictEqual(yield* sql`SELECT status, error FROM forwardings WHERE mail_id = ${mail.id}`, [
          { status: "failed", error: "The address was erased" }
        ])
        // Another organization still forwards to the address.
        assert.lengthOf(yield* sql`SELECT FROM forwarding_queue WHERE organization_id = ${organization}`, 1)
      })
  )

  it.effect("of other senders stay until they are processed and forwarded", () =>
    Effect.gen(function* () {
      const { eraseAll, stillQueued } = yield* ErasureRepo
      const sql = yield* SqlClient.SqlClient
      const { erasure, mail } = yield* storeMail({}, undefined, "Ask ada@example.com")
      const isErased = Effect.zipRight(
        eraseAll(erasure, () => Effect.void),
        Effect.map(
          sql<{ raw: unknown }>`SELECT raw FROM inbound_mails WHERE id = ${mail.id}`,
          ([row]) => row?.raw === null
        )
      )
      assert.isFalse(yield* isErased)
      yield* forwarded(mail, "eve@example.com", false)
      yield* sql`DELETE FROM inbound_queue WHERE id = ${mail.id}`
      yield* sql`UPDATE inbound_mails SET processed_at = now() WHERE id = ${mail.id}`
      assert.deepStrictEqual([yield* stillQueued(erasure), yield* isErased], [1, false])
      yield* sql`UPDATE forwardings SET status = 'forwarded' WHERE mail_id = ${mail.id}`
      yield* sql`DELETE FROM forwarding_queue WHERE organization_id = ${mail.organizationId}`
      assert.deepStrictEqual([yield* stillQueued(erasure), yield* isErased], [0, true])
    })
  )
})
