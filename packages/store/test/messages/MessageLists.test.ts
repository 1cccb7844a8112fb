import { randomBytes } from "node:crypto"
import { SqlClient } from "@effect/sql"
import { assert, layer } from "@effect/vitest"
import { ConversationId } from "@switchboard/domain/messages/Message"
import { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { type Cursor, type Page, pageRequest } from "@switchboard/domain/Page"
import { ParticipantId } from "@switchboard/domain/participants/Participant"
import { type MessageFilter, MessageRepo } from "@switchboard/services/messages/MessageRepo"
import { listMessages } from "@switchboard/store/messages/MessageLists"
import { Array, DateTime, Effect } from "effect"
import { fillDatabase } from "../generated/FillDatabase.js"
import { explainReads } from "../lists/ExplainReads.js"
import { makeOrganization, newMessage } from "./Fixtures.js"
import { accept, OwnLive } from "./QueueFixtures.js"

/** The same filters without an index. */
const scanned = `SELECT m.id FROM messages AS m JOIN message_states AS s
    ON s.organization_id = m.organization_id AND s.message_id = m.id
  WHERE m.organization_id = $1 AND ($2::text IS NULL OR m.channel = $2) AND ($3::text IS NULL OR s.status = $3)
    AND ($4::uuid IS NULL OR m.conversation_id = $4)
    AND ($5::uuid IS NULL OR $5 = ANY (m.from_participant_id || m.to_participant_ids))
    AND ($6::text IS NULL OR EXISTS (SELECT FROM json_array_elements_text(m.addressing -> 'to') AS a WHERE a = lower($6)))
    AND ($7::text IS NULL OR m.external_id = $7) AND ($8::text IS NULL OR m.reference_id = $8)
    AND ($9::text IS NULL OR $9 = ANY (m.tags)) AND ($10::text IS NULL OR EXISTS (
      SELECT FROM unnest(ARRAY[m.content ->> 'subject', m.addressing -> 'to' ->> 0, m.external_id, m.reference_id,
        CASE WHEN m.direction = 'inbound' THEN m.content ->> 'from' END]) AS one
      WHERE strpos(lower(one), lower($10)) > 0))
    AND ($11::timestamptz IS NULL OR m.created_at >= $11) AND ($12::timestamptz IS NULL OR m.created_at <= $12)
  ORDER BY m.id DESC`

const scan = (own: OrganizationId, filter: MessageFilter) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    Effect.map(
      sql.unsafe<{ id: string }>(scanned, [
        own,
        filter.channel ?? null,
        filter.status ?? null,
        filter.conversationId ?? null,
        filter.participantId ?? null,
        filter.recipient ?? null,
        filter.externalId ?? null,
        filter.referenceId ?? null,
        filter.tag ?? null,
        filter.search ?? null,
        filter.startDate === undefined ? null : DateTime.formatIso(filter.startDate),
        filter.endDate === undefined ? null : DateTime.formatIso(filter.endDate)
      ]),
      (rows) => rows.map(({ id }) => id)
    )
  )

const limit = 20

/** The first ids by cursor and by page number, and the total. */
const listed = (own: OrganizationId, filter: MessageFilter) =>
  Effect.gen(function* () {
    const repo = yield* MessageRepo
    const [byCursor, byNumber]: [Array<string>, Array<string>] = [[], []]
    let after: Cursor | undefined
    let total = 0
    for (const page of [1, 2]) {
      const numbered = yield* repo.list(own, filter, pageRequest({ limit, page }))
      byNumber.push(...numbered.items.map(({ id }) => id))
      if (page > 1 && after === undefined) continue
      const next: Page<{ readonly id: string }> = yield* repo.list(own, filter, pageRequest({ limit, after }))
      byCursor.push(...next.items.map(({ id }) => id))
      after = next.next ?? undefined
      total = next.pagination.total
    }
    return { byCursor, byNumber, total }
  })

layer(OwnLive, { excludeTestServices: true })("A number that two participants of a message have", (it) => {
  it.effect("shows the message once", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const [first] = yield* fillDatabase({ messages: 50, without: ["events", "webhooks", "activity"] })
      const own = OrganizationId.make(first?.id ?? "")
      const number = "+4915112345678"
      const [message] = yield* sql<{ id: string; channel: "email" | "sms" | "whatsapp" }>`
        UPDATE messages SET addressing = json_build_object('to', json_build_array(${number}::text))
        WHERE organization_id = ${own} AND id = (SELECT id FROM messages
          WHERE organization_id = ${own} AND to_participant_ids[1] <> from_participant_id ORDER BY id LIMIT 1)
        RETURNING id, channel`
      yield* sql`INSERT INTO participant_addresses (organization_id, kind, address, participant_id)
        SELECT organization_id, kind, ${number}, participant_id FROM messages
          CROSS JOIN LATERAL (VALUES ('phone', from_participant_id), ('whatsapp', to_participant_ids[1]))
            AS a(kind, participant_id)
        WHERE organization_id = ${own} AND id = ${message?.id ?? ""}`
      const once = { byCursor: [message?.id], byNumber: [message?.id], total: 1 }
      assert.deepStrictEqual(yield* listed(own, { recipient: number }), once)
      assert.deepStrictEqual(yield* listed(own, { recipient: number, channel: message?.channel }), once)
    })
  )
})

layer(OwnLive, { excludeTestServices: true })("The list of messages", (it) => {
  it.effect("has the page before a message, in the same order", () =>
    Effect.gen(function* () {
      const repo = yield* MessageRepo
      const own = yield* makeOrganization()
      const ids = (yield* accept(own, 5))
        .map(({ id }) => id)
        .sort()
        .toReversed()
      const before = (id: string | undefined, limit: number) =>
        Effect.map(
          repo.list(own, { direction: "outbound" }, { page: 1, limit, ...(id === undefined ? {} : { before: id }) }),
          ({ items, next }) => ({ ids: items.map((one) => one.id), hasMore: next !== null })
        )
      assert.deepStrictEqual(yield* before(ids[3], 2), { ids: ids.slice(1, 3), hasMore: true })
      assert.deepStrictEqual(yield* before(ids[3], 3), { ids: ids.slice(0, 3), hasMore: false })
      assert.deepStrictEqual(yield* before(ids[0], 2), { ids: [], hasMore: false })
    })
  )

  it.effect("finds the messages that one, two and three filters match", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const [first] = yield* fillDatabase({
        messages: 600,
        organizations: 2,
        without: ["events", "webhooks", "activity"]
      })
      const own = OrganizationId.make(first?.id ?? "")
      const [some] = yield* sql<{
        conversation: string
        participant: string
        sender: string
        address: string
        reference: string
      }>`
        SELECT (SELECT conversation_id FROM messages WHERE organization_id = ${own} AND conversation_id IS NOT NULL
            ORDER BY id DESC LIMIT 1) AS conversation,
          a.participant_id AS participant, m.from_participant_id AS sender, upper(a.address) AS address, m.reference_id AS reference
        FROM messages AS m JOIN participant_addresses AS a
          ON a.organization_id = m.organization_id AND a.participant_id = m.to_participant_ids[1]
        WHERE m.organization_id = ${own} AND m.external_id IS NOT NULL AND m.tags <> '{}' ORDER BY m.id DESC LIMIT 1`
      const [named] = yield* sql<{ external: string; created_at: Date }>`SELECT external_id AS external, created_at
        FROM messages WHERE organization_id = ${own} AND reference_id = ${some?.reference ?? ""} ORDER BY id LIMIT 1`
      const filters: ReadonlyArray<MessageFilter> = [
        {},
        { channel: "email" },
        { channel: "sms" },
        { status: "delivered" },
        { status: "pending" },
        { conversationId: ConversationId.make(some?.conversation ?? "") },
        { participantId: ParticipantId.make(some?.participant ?? "") },
        { recipient: some?.address },
        { recipient: some?.address, participantId: ParticipantId.make(some?.sender ?? "") },
        { recipient: "HELLO@localhost.test" },
        { recipient: "+4930123456" },
        { externalId: named?.external },
        { referenceId: some?.reference },
        { tag: "campaign-1" },
        { tag: "campaign" },
        { search: "your ORDER" },
        { search: "order 12" },
        { search: "PERSON1" },
        { search: "omer-1" },
        { search: "100%_" },
        { startDate: DateTime.unsafeMake(named?.created_at ?? 0) },
        { endDate: DateTime.unsafeMake(named?.created_at ?? 0) }
      ]
      const matches = new Set<number>()
      for (const [index, left] of filters.entries()) {
        const [next, other] = [filters[(index + 1) % filters.length], filters[(index + 5) % filters.length]]
        for (const filter of [left, { ...left, ...next }, { ...left, ...next, ...other }]) {
          const expected = yield* scan(own, filter)
          matches.add(Math.min(expected.length, 2 * limit))
          const shown = expected.slice(0, 2 * limit)
          assert.deepStrictEqual(
            yield* listed(own, filter),
            { byCursor: shown, byNumber: shown, total: expected.length },
            JSON.stringify(filter)
          )
        }
      }
      assert.isTrue(matches.has(0) && matches.has(2 * limit) && matches.size > 5)
    })
  )

  it.effect("searches subjects without reading long contents", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const repo = yield* MessageRepo
      const own = yield* makeOrganization()
      const html = randomBytes(100_000).toString("base64")
      const messages = yield* Effect.replicateEffect(newMessage(own), 30)
      for (const { facts, ...message } of messages) {
        yield* repo.accept({ ...message, facts: { ...facts, content: { ...facts.content, html } } })
      }
      const search = listMessages(sql, own, { search: "ell" }, { page: 1, limit: 1 })
      assert.strictEqual((yield* search).pagination.total, 30)
      // The content of a message is on about 70 pages: that of the page is read.
      for (const { buffers, text } of yield* explainReads(search)) assert.isAtMost(buffers, 400, text)
    })
  )

  it.effect("gives concurrent readers the pages of their requests and organizations", () =>
    Effect.gen(function* () {
      const repo = yield* MessageRepo
      const sql = yield* SqlClient.SqlClient
      const organizations = yield* Effect.replicateEffect(makeOrganization(), 2)
      yield* Effect.forEach(organizations, (one) => accept(one, 45))
      const requests = [
        ...Array.makeBy(6, (index) => ({ page: index + 1, limit: 10 })),
        ...Array.makeBy(4, (index) => ({ page: index + 1, limit: 15 })),
        { limit: 1 },
        { limit: 45 },
        { limit: 100 }
      ]
      for (const organization of organizations) {
        const stored = (yield* sql<{ id: string }>`SELECT id FROM messages WHERE organization_id = ${organization}
          ORDER BY id DESC`).map(({ id }) => id)
        const pages = yield* Effect.forEach(
          [...requests, ...Array.makeBy(44, (index) => ({ limit: 4, after: { id: stored[index] ?? "", page: 2 } }))],
          (params) => Effect.map(repo.list(organization, {}, pageRequest(params)), (found) => ({ params, found })),
          { concurrency: "unbounded" }
        )
        for (const { found, params } of pages) {
          const { after, limit, page } = pageRequest(params)
          const start = after === undefined ? (page - 1) * limit : stored.indexOf(after) + 1
          const shown = stored.slice(start, start + limit)
          assert.deepStrictEqual(
            found.items.map(({ id }) => String(id)),
            shown
          )
          assert.deepStrictEqual(found.pagination, { page, limit, total: 45, totalPages: Math.ceil(45 / limit) })
          const next = start + limit < 45 ? { id: shown.at(-1), page: page + 1 } : null
          assert.deepStrictEqual<unknown>(found.next, next)
          assert.isFalse(found.isTotalEstimated)
        }
      }
    })
  )

  it.effect("is empty for an organization without messages", () =>
    Effect.gen(function* () {
      const { items, next, pagination } = yield* (yield* MessageRepo).list(
        yield* makeOrganization(),
        {},
        pageRequest({})
      )
      assert.deepStrictEqual([items, next, pagination.total], [[], null, 0])
    })
  )
})
