import { SqlClient } from "@effect/sql"
import { assert, layer } from "@effect/vitest"
import type { MessageId } from "@switchboard/domain/messages/Message"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { RollupRepo } from "@switchboard/services/analytics/RollupRepo"
import { EngagementRepo } from "@switchboard/services/email/tracking/EngagementRepo"
import { type Erasure, type ErasureProgress, ErasureRepo } from "@switchboard/services/erasure/ErasureRepo"
import { MessageRepo } from "@switchboard/services/messages/MessageRepo"
import { pageStatement, searchedTables } from "@switchboard/store/erasure/SearchedTables"
import { DateTime, Deferred, Effect, Fiber, Option } from "effect"
import { v7 } from "uuid"
import { address, options } from "../email/receiving/Fixtures.js"
import { explainBuffers } from "../lists/ExplainReads.js"
import { makeOrganization, newMessage } from "../messages/Fixtures.js"
import { OwnStoreLive } from "../StoreLive.js"

const rows = 3_000

/** Inserts participants. Every hundredth name contains the mention. */
const participants = (organization: OrganizationId, mention: string) =>
  Effect.flatMap(
    SqlClient.SqlClient,
    (sql) => sql`INSERT INTO participants (organization_id, id, name, type, created_at, updated_at)
      SELECT ${organization}, gen_random_uuid(), CASE WHEN n % 100 = 0 THEN ${mention} ELSE 'Bob' END, 'individual',
        now(), now()
      FROM generate_series(1, ${rows}) AS n`
  )

const namesOf = (organization: OrganizationId) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    Effect.map(
      sql<{ name: string; count: number }>`SELECT name, count(*)::int AS count FROM participants
        WHERE organization_id = ${organization} GROUP BY name ORDER BY name`,
      (found) => Object.fromEntries(found.map(({ count, name }) => [name, count]))
    )
  )

/** Erases an address. Returns the counts and the pages. */
const erase = (named: string, organization: Option.Option<OrganizationId>) =>
  Effect.gen(function* () {
    const { eraseAll } = yield* ErasureRepo
    const pages: Array<ErasureProgress> = []
    const report = (progress: ErasureProgress) => Effect.sync(() => pages.push(progress))
    const result = yield* eraseAll({ address: address(named), organization }, (one) => Effect.asVoid(report(one)))
    return { ...result, pages }
  })

/** Stores an outbound message. */
const send = (organization: OrganizationId, ...to: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const repo = yield* MessageRepo
    const message = yield* newMessage(organization, { to })
    yield* repo.accept(message)
    return message.facts.id
  })

const recipientsOf = (organization: OrganizationId, id: MessageId) =>
  Effect.flatMap(MessageRepo, (repo) =>
    Effect.map(repo.find(organization, id), (found) =>
      Option.getOrNull(Option.map(found, ({ emailMetadata }) => emailMetadata?.to ?? []))
    )
  )

layer(OwnStoreLive, options)("eraseAll", (it) => {
  it.effect("replaces mentions in all pages of a table, for one organization, and only once", () =>
    Effect.gen(function* () {
      const [own, other] = [yield* makeOrganization(), yield* makeOrganization()]
      yield* participants(own, "Ask ADA.Lovelace%2Bnews@example.com!")
      yield* participants(other, "ada.lovelace+news@example.com")
      const named = "ada.lovelace+news@example.com"
      const { erased, pages } = yield* erase(named, Option.some(own))
      assert.deepStrictEqual(erased, [{ what: "mentions in participants", count: rows / 100 }])
      assert.deepStrictEqual(yield* namesOf(own), {
        "Ask erased@erased.invalid!": rows / 100,
        Bob: rows - rows / 100
      })
      const searched = pages.filter(({ table }) => table === "participants").map((page) => page.searched)
      assert.strictEqual(searched.at(-1), rows)
      assert.isAbove(searched.length, 3)
      assert.hasAllKeys(yield* namesOf(other), ["ada.lovelace+news@example.com", "Bob"])
      assert.deepStrictEqual((yield* erase(named, Option.some(own))).erased, [])
      yield* erase(named, Option.none())
      assert.hasAllKeys(yield* namesOf(other), ["erased@erased.invalid", "Bob"])
    })
  )

  it.effect("replaces mentions in the changes of the audit log", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const own = yield* makeOrganization()
      const changes = { forwardTo: { before: [], after: ["grace.hopper@example.com"] } }
      yield* sql`INSERT INTO audit_entries (organization_id, id, at, actor_type, actor_id, actor_name, operation, resource,
          outcome, changes, ip_address, user_agent)
        VALUES (${own}, ${v7()}, now(), 'apiKey', ${v7()}, 'Key', 'forwarding.update', 'forwarding', 'succeeded',
          ${JSON.stringify(changes)}::json, '', '')`
      yield* erase("grace.hopper@example.com", Option.some(own))
      assert.deepStrictEqual(yield* sql`SELECT changes FROM audit_entries WHERE organization_id = ${own}`, [
        { changes: { forwardTo: { before: [], after: ["erased@erased.invalid"] } } }
      ])
    })
  )

  it.effect("replaces an address without a letter or digit before the at sign", () =>
    Effect.gen(function* () {
      const own = yield* makeOrganization()
      yield* participants(own, "$@example.com")
      yield* erase("$@example.com", Option.some(own))
      assert.hasAllKeys(yield* namesOf(own), ["erased@erased.invalid", "Bob"])
    })
  )

  it.effect("erases messages of the participant, and messages found by search; similar addresses stay", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const own = yield* makeOrganization()
      const [ada, alike, bob] = ["ada@example.com", "xada@example.com", "bob@example.com"]
      const theirs = yield* Effect.replicateEffect(send(own, ada), 3)
      const shared = yield* Effect.replicateEffect(send(own, ada, bob), 2)
      const kept = [yield* send(own, alike), yield* send(own, bob), yield* send(own, "ada@example.com.test")]
      const before = yield* Effect.forEach(kept, (id) => recipientsOf(own, id))
      // As if a request had removed the address from the participant after the send.
      const moved = yield* send(own, "Ada.Other@example.com")
      yield* sql`DELETE FROM participant_addresses WHERE organization_id = ${own} AND address = 'ada.other@example.com'`
      const mention = yield* send(own, bob)
      yield* sql`UPDATE messages SET content = replace(content::text, 'Hello', 'Ask ada@example.com')::json
        WHERE id = ${mention}`

      const { erased, pages } = yield* erase(ada, Option.some(own))
      const counts = Object.fromEntries(erased.map(({ count, what }) => [what, count]))
      assert.deepInclude(counts, {
        messages: 3,
        "recipients of messages with other recipients": 2,
        participants: 1,
        "mentions in messages": 1
      })
      // The first page of messages has those of the participant.
      assert.deepInclude(pages[0], { table: "message_participants", searched: 5 })
      for (const id of theirs) assert.isNull(yield* recipientsOf(own, id))
      for (const id of shared) assert.deepStrictEqual(yield* recipientsOf(own, id), [address(bob)])
      assert.deepStrictEqual(yield* Effect.forEach(kept, (id) => recipientsOf(own, id)), before)
      const [content] = yield* sql<{ content: { text: string } }>`SELECT content FROM messages WHERE id = ${mention}`
      assert.strictEqual(content?.content.text, "Ask erased@erased.invalid")

      const other = yield* erase("ada.other@example.com", Option.some(own))
      assert.deepInclude(other.erased, { what: "messages", count: 1 })
      assert.isNull(yield* recipientsOf(own, moved))
    })
  )

  it.effect("deletes the figures of the participant; those of others stay", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { project } = yield* RollupRepo
      const own = yield* makeOrganization()
      yield* Effect.replicateEffect(send(own, "ada@example.com"), 3)
      yield* Effect.replicateEffect(send(own, "ada@example.com", "bob@example.com"), 2)
      yield* project
      yield* erase("ada@example.com", Option.some(own))
      yield* project
      assert.deepStrictEqual(
        yield* sql`SELECT a.address, r.messages FROM rollup_participants AS r LEFT JOIN participant_addresses AS a
            ON a.organization_id = r.organization_id AND a.participant_id = r.participant_id
          WHERE r.organization_id = ${own}`,
        [{ address: "bob@example.com", messages: 2 }]
      )
    })
  )

  it.effect("continues after an interruption, with the counts of the interrupted run, and stores no address", () =>
    Effect.gen(function* () {
      const { eraseAll } = yield* ErasureRepo
      const sql = yield* SqlClient.SqlClient
      const own = yield* makeOrganization()
      yield* send(own, "ada@example.com")
      yield* participants(own, "ada@example.com")
      const erasure: Erasure = { address: address("ada@example.com"), organization: Option.some(own) }
      const reached = yield* Deferred.make<ErasureProgress>()
      const fiber = yield* Effect.fork(
        eraseAll(erasure, (page) =>
          page.table === "participants" && page.searched > rows / 3
            ? Effect.zipRight(Deferred.succeed(reached, page), Effect.never)
            : Effect.void
        )
      )
      const { searched } = yield* Deferred.await(reached)
      yield* Fiber.interrupt(fiber)
      const stored = yield* sql<{ row: string }>`SELECT erasures::text AS row FROM erasures`
      assert.lengthOf(stored, 1)
      assert.notMatch(stored[0]?.row ?? "", /ada@|example/)
      const half = yield* namesOf(own)
      assert.isAbove(half["ada@example.com"] ?? 0, 0)

      const { continued, erased, pages } = yield* erase("ada@example.com", Option.some(own))
      assert.isTrue(Option.isSome(continued))
      assert.deepInclude(erased, { what: "messages", count: 1 })
      assert.deepInclude(erased, { what: "mentions in participants", count: rows / 100 })
      assert.hasAllKeys(yield* namesOf(own), ["erased@erased.invalid", "Erased", "Bob", "Us"])
      // Earlier tables and pages are not searched again.
      assert.isEmpty(pages.filter(({ table }) => table < "participants"))
      const rest = pages.filter(({ table }) => table === "participants").at(-1)
      const [total] = yield* sql<{ rows: number }>`SELECT count(*)::int AS rows FROM participants
        WHERE organization_id = ${own}`
      assert.strictEqual(rest?.searched, (total?.rows ?? 0) - searched)
      assert.isEmpty(yield* sql`SELECT FROM erasures`)
      assert.isTrue(Option.isNone((yield* erase("ada@example.com", Option.some(own))).continued))
    })
  )

  it.effect("reads the same number of buffers for each page of a large table, in one organization and in all", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const own = yield* makeOrganization()
      yield* sql`INSERT INTO participants (organization_id, id, name, type, created_at, updated_at)
        SELECT ${own}, lpad(to_hex(n), 32, '0')::uuid, 'Bob', 'individual', now(), now()
        FROM generate_series(1, 20000) AS n`
      yield* sql`ANALYZE participants`
      const table = (yield* searchedTables(sql)).find(({ name }) => name === "participants")
      assert.isDefined(table)
      if (table === undefined) return
      const buffers = (organization: Option.Option<OrganizationId>, from: number) => {
        const after = [own, from.toString(16).padStart(32, "0")]
        const page = pageStatement(table, { address: address("ada@example.com"), organization }, after, 1_000)
        return explainBuffers(page.statement, page.parameters)
      }
      for (const organization of [Option.some(own), Option.none()]) {
        for (const from of [5_000, 10_000, 18_500]) assert.isBelow(yield* buffers(organization, from), 60)
      }
    })
  )

  it.effect("erases the clicks of a recipient, and keeps those of the others", () =>
    Effect.gen(function* () {
      const own = yield* makeOrganization()
      const repo = yield* MessageRepo
      const { record } = yield* EngagementRepo
      const id = yield* send(own, "Ada@example.com", "bob@example.com")
      const at = yield* DateTime.now
      yield* record(
        [0, 1, 0].map((place) => ({
          mail: { organizationId: own, messageId: id, place },
          request: { at, client: "mailbox", url: `https://example.com/${place}`, userAgent: "x" }
        }))
      )
      const clicks = Effect.map(repo.find(own, id), (found) =>
        Option.getOrThrow(found).emailMetadata?.clicks?.map(({ url }) => url)
      )
      assert.lengthOf((yield* clicks) ?? [], 3)
      yield* erase("ada@example.com", Option.some(own))
      assert.deepStrictEqual(yield* clicks, ["https://example.com/1"])
      yield* erase("bob@example.com", Option.some(own))
      assert.isTrue(Option.isNone(yield* repo.find(own, id)) || (yield* clicks) === undefined)
    })
  )

  it.effect("searches each table by a key, and stores only keys without text", () =>
    Effect.gen(function* () {
      const tables = yield* searchedTables(yield* SqlClient.SqlClient)
      const storable = ["uuid", "int4", "timestamptz"]
      const others = tables.filter(({ key }) => key.some(({ type }) => !storable.includes(type)))
      assert.deepStrictEqual(
        others.map(({ name }) => name),
        ["conversation_labels", "message_claims", "message_tags", "mta_sts_policies", "relay_faults"]
      )
      for (const name of ["messages", "message_states", "inbound_mails", "events"]) {
        assert.include(
          tables.map((table) => table.name),
          name
        )
      }
    })
  )
})
