import { SqlClient } from "@effect/sql"
import { assert, layer } from "@effect/vitest"
import { EmailAddress } from "@switchboard/domain/email/EmailAddress"
import { ThreadId } from "@switchboard/domain/email/threads/Thread"
import { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { type PageRequest, pageRequest } from "@switchboard/domain/Page"
import { ParticipantId } from "@switchboard/domain/participants/Participant"
import { WebhookEndpointId } from "@switchboard/domain/webhooks/WebhookEndpoint"
import { AnalyticsRepo } from "@switchboard/services/analytics/AnalyticsRepo"
import { ConversationRepo } from "@switchboard/services/conversations/ConversationRepo"
import { BlockRepo } from "@switchboard/services/email/blocks/BlockRepo"
import { ForwardingRuleRepo } from "@switchboard/services/email/forwarding/ForwardingRuleRepo"
import { ThreadRepo } from "@switchboard/services/email/threads/ThreadRepo"
import type { MessageFilter } from "@switchboard/services/messages/MessageRepo"
import { ParticipantRepo } from "@switchboard/services/participants/ParticipantRepo"
import { WebhookEndpointRepo } from "@switchboard/services/webhooks/WebhookEndpointRepo"
import { senderOutcomes } from "@switchboard/store/email/senders/SenderOutcomes"
import { threadMessages } from "@switchboard/store/email/threads/ThreadRepoSql"
import { allMessages, listMessages, readPages } from "@switchboard/store/messages/MessageLists"
import { Clock, DateTime, Effect, Layer, Schema } from "effect"
import { fillDatabase } from "../generated/FillDatabase.js"
import { day, update } from "../retention/Fixtures.js"
import { OwnStoreLive } from "../StoreLive.js"
import { explainReads } from "./ExplainReads.js"

/** The bounds hold for 100,000 and for a million; `PLAN_MESSAGES=1000000` takes minutes. */
const messages = Number(process.env.PLAN_MESSAGES ?? 100_000)

/** The first organization of the generated ones, its sender, and its longest thread. */
class Filled extends Effect.Service<Filled>()("test/Filled", {
  effect: Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const [first] = yield* fillDatabase({ messages, without: ["events", "webhooks", "activity"] })
    const organization = OrganizationId.make(first?.id ?? "")
    const [found] = yield* sql<{ sender: string; thread: string }>`SELECT participant_id AS sender, (
        SELECT thread_id FROM messages WHERE organization_id = ${organization} AND thread_id IS NOT NULL
        GROUP BY thread_id ORDER BY count(*) DESC LIMIT 1
      ) AS thread FROM participant_addresses
      WHERE organization_id = ${organization} AND address = 'hello@localhost.test'`
    return {
      organization,
      endpoint: WebhookEndpointId.make(first?.endpointId ?? ""),
      sender: ParticipantId.make(found?.sender ?? ""),
      thread: ThreadId.make(found?.thread ?? "")
    }
  })
}) {}

const page = { page: 1, limit: 20 }

/** The statements run to their end: their number of buffers does not depend on the speed of the machine. */
const withoutTimeouts = Effect.withClock(Object.assign(Clock.make(), { sleep: () => Effect.never }))

/** The tables that are read in an index only. */
const readInIndex = new Set<string>()

/** Each statement of a read has at most this number of buffers. */
const reads = Effect.fnUntraced(function* <A, E, R>(maxBuffers: number, read: Effect.Effect<A, E, R>) {
  const statements = yield* explainReads(read)
  assert.isNotEmpty(statements)
  for (const { buffers, plan, text } of statements) {
    assert.isAtMost(buffers, maxBuffers, `${text} ${plan}`)
    for (const [, table = ""] of plan.matchAll(/"Index Only Scan"[^{}]*?"Relation Name":"(\w+)"/g))
      readInIndex.add(table)
  }
})

layer(Layer.provideMerge(Filled.Default, OwnStoreLive), { excludeTestServices: true })(
  "With any number of messages, a list reads few rows",
  (it) => {
    it.effect("of threads", () =>
      Effect.gen(function* () {
        const { organization, sender, thread } = yield* Filled
        const { counts, find, list } = yield* ThreadRepo
        const sql = yield* SqlClient.SqlClient
        yield* reads(800, list(organization, {}, page))
        yield* reads(800, list(organization, {}, { page: 200, limit: 20 }))
        yield* reads(800, list(organization, { status: "active" }, page))
        yield* reads(10, list(organization, { status: "resolved" }, page))
        yield* reads(800, list(organization, { participantId: sender }, page))
        yield* reads(10, list(organization, { participantId: sender, status: "archived" }, page))
        yield* reads(300, list(organization, { search: "ticket 99951" }, page))
        yield* reads(100, counts(organization))
        yield* reads(60, find(organization, thread))
        yield* reads(500, readPages(sql, threadMessages)(organization)([{ key: thread, request: page }]))
      })
    )

    it.effect("of messages", () =>
      Effect.gen(function* () {
        const { organization, sender } = yield* Filled
        const sql = yield* SqlClient.SqlClient
        const [some] = yield* sql<{
          address: string
          contact: string
          reference: string
          external: string
          at: Date
        }>`SELECT a.address, a.participant_id AS contact, m.reference_id AS reference, m.external_id AS external,
            m.created_at AS at
          FROM messages AS m JOIN participant_addresses AS a
            ON a.organization_id = m.organization_id AND a.participant_id = m.to_participant_ids[1]
          WHERE m.organization_id = ${organization} AND m.external_id IS NOT NULL ORDER BY m.id DESC LIMIT 1`
        if (some === undefined) return assert.fail("no message")
        const list = (filter: MessageFilter, request: PageRequest = page) =>
          withoutTimeouts(listMessages(sql, organization, filter, request))
        const lastPage = { page: 40_000, limit: 20 }
        const participantId = ParticipantId.make(some.contact)
        const startDate = DateTime.subtract(DateTime.unsafeMake(some.at), { days: 300 })
        const { next } = yield* list({ status: "failed" }, { page: 500, limit: 20 })

        const all = (request: PageRequest) =>
          readPages(sql, allMessages)(organization)([{ key: organization, request }])
        yield* reads(700, all(page))
        yield* reads(1_200, all({ page: 500, limit: 20 }))
        yield* reads(12_000, all(lastPage))
        yield* reads(12_000, list({ channel: "email" }, lastPage))
        yield* reads(700, list({ status: "failed" }, pageRequest({ after: next ?? undefined })))
        yield* reads(700, list({ status: "pending" }))
        yield* reads(700, list({ participantId: sender }))
        yield* reads(700, list({ participantId }))
        yield* reads(5_000, list({ recipient: some.address }))
        yield* reads(100, list({ externalId: some.external }))
        yield* reads(700, list({ referenceId: some.reference }))
        yield* reads(700, list({ tag: "campaign-29" }))
        yield* reads(700, list({ search: some.external.slice("order-".length) }))
        yield* reads(700, list({ search: some.external.toUpperCase() }))
        yield* reads(5_000, list({ search: some.address.slice("per".length) }))
        // Letters that the locale of the database, C, does not know.
        yield* sql`UPDATE messages SET subject_line = CASE right(subject_line, 4) WHEN '9999' THEN 'Договор' ELSE 'Ваш заказ' END
          WHERE organization_id = ${organization} AND subject_line LIKE 'Ticket %'`
        yield* sql`VACUUM (ANALYZE) messages`
        yield* reads(700, list({ search: "договор" }))
        yield* reads(700, list({ tag: "campaign-1" }))
        // 10,001 matches are counted: a page of the index and one of the table for each.
        yield* reads(21_000, list({ search: "your order" }))
        yield* reads(700, list({ startDate, endDate: DateTime.add(startDate, { days: 30 }) }))
        // The sender has 35 times as many messages: they are tested by primary key.
        yield* reads(120_000, list({ status: "failed", participantId: sender }))
        // The indexes of both filters are read in order, and the third one is tested on what they have in common.
        yield* reads(800, list({ status: "failed", tag: "campaign-1" }))
        yield* reads(800, list({ status: "failed", tag: "campaign-1" }, { page: 2, limit: 20 }))
        yield* reads(8_000, list({ status: "failed", tag: "campaign-1", participantId: sender }))
        yield* reads(1_500, list({ status: "failed", participantId }))
        yield* reads(
          20_000,
          list({ channel: "email", status: "delivered", participantId, tag: "campaign-1", search: "your", startDate })
        )
      })
    )

    it.effect("of conversations", () =>
      Effect.gen(function* () {
        const { organization, sender } = yield* Filled
        const { list } = yield* ConversationRepo
        yield* reads(1_200, list(organization, {}, page))
        yield* reads(1_200, list(organization, { channel: "email" }, page))
        yield* reads(1_200, list(organization, { priority: 2 }, page))
        yield* reads(1_200, list(organization, { participantId: sender }, page))
        yield* reads(10, list(organization, { channel: "sms" }, page))
        yield* reads(10, list(organization, { channel: "sms", status: "active" }, page))
        yield* reads(10, list(organization, { priority: 1 }, page))
        yield* reads(10, list(organization, { tag: "vip" }, page))
        // The entries of the participant are counted in windows of 10,000 rows, or all if there are fewer.
        const window = Math.min(200, messages / 2_000)
        yield* reads(window, list(organization, { status: "resolved", participantId: sender }, page))
        yield* reads(window, list(organization, { channel: "sms", participantId: sender }, page))
        yield* reads(window, list(organization, { tag: "vip", participantId: sender }, page))
        yield* reads(1_200, list(organization, { channel: "email", participantId: sender }, page))
        yield* reads(10, list(organization, { channel: "email", tag: "vip" }, page))
      })
    )

    it.effect("of participants and blocks", () =>
      Effect.gen(function* () {
        const { organization } = yield* Filled
        const participants = yield* ParticipantRepo
        yield* reads(150, participants.list(organization, {}, page))
        yield* reads(800, participants.list(organization, {}, { page: 3_000, limit: 20 }))
        yield* reads(150, participants.list(organization, { type: "contact" }, page))
        yield* reads(15, participants.list(organization, { type: "sender" }, page))
        yield* reads(350, participants.list(organization, { search: "person777@" }, page))
        const blocks = yield* BlockRepo
        yield* reads(300, blocks.list(organization, {}, page))
        yield* reads(300, blocks.list(organization, { reason: "manual" }, page))
        yield* reads(10, blocks.list(organization, { reason: "complaint" }, page))
        yield* reads(300, blocks.list(organization, { search: "blocked777@" }, page))
        yield* reads(300, blocks.logs(organization, page))
      })
    )

    it.effect("of places and of the participants with the most messages", () =>
      Effect.gen(function* () {
        const { organization } = yield* Filled
        const sql = yield* SqlClient.SqlClient
        const { recipients, topParticipants } = yield* AnalyticsRepo
        yield* sql`INSERT INTO rollup_places
          SELECT organization_id, span, starts_at, 'DE', 'Region ' || n, 1 FROM rollup_places, generate_series(1, 10) AS n
          WHERE organization_id = ${organization}`
        yield* sql`VACUUM (ANALYZE) rollup_places, rollup_participants`
        const end = yield* DateTime.now
        for (const days of [366, 30]) {
          const range = { start: DateTime.subtract(end, { days }), end }
          yield* reads(500, recipients(organization, range))
          // All participants of the range are summed.
          yield* reads(messages / 100, topParticipants(organization, range, 10))
        }
      })
    )

    it.effect("of active conversations and of the outcomes of senders", () =>
      Effect.gen(function* () {
        const { organization } = yield* Filled
        const sql = yield* SqlClient.SqlClient
        const { activeConversations } = yield* AnalyticsRepo
        const end = yield* DateTime.now
        for (const days of [366, 30]) {
          yield* reads(1_000, activeConversations(organization, { start: DateTime.subtract(end, { days }), end }))
        }
        const sender = Schema.decodeSync(EmailAddress)("hello@localhost.test")
        yield* reads(30, senderOutcomes(sql, organization, [sender], DateTime.subtract(end, { days: 30 })))
      })
    )

    it.effect("of forwardings and webhook deliveries", () =>
      Effect.gen(function* () {
        const { endpoint, organization } = yield* Filled
        const sql = yield* SqlClient.SqlClient
        const id = "(lpad(to_hex(n), 8, '0') || '-0000-7000-8000-000000000000')::uuid"
        yield* sql`INSERT INTO forwardings (organization_id, id, mail_id, recipients, keep_copy, forward_to, via_domain, status,
          created_at)
        SELECT ${organization}, id, id, '{}', true, 'ada@example.com', 'example.com',
          CASE WHEN n > 50000 THEN 'waiting' ELSE 'forwarded' END, now()
        FROM generate_series(1, 100000) AS n CROSS JOIN LATERAL (SELECT ${sql.literal(id)} AS id) AS i`
        // Deliveries of 300 days, in ten partitions.
        yield* Effect.forEach([31, 62, 92, 123, 153, 184, 214, 245], (days) => update("webhook_deliveries", days))
        const hex = `lpad(to_hex(${day(0).epochMillis} + n * 259200::bigint), 12, '0')`
        yield* sql`INSERT INTO webhook_deliveries (organization_id, id, endpoint_id, event_id, event_type, status, created_at)
        SELECT ${organization}, id, ${endpoint}, id, 'message.delivered', 'succeeded', now()
        FROM generate_series(0, 99999) AS n
        CROSS JOIN LATERAL (SELECT (${sql.literal(hex)} || '70008000' || lpad(to_hex(n), 12, '0'))::uuid AS id) AS i`
        assert.lengthOf(yield* sql`SELECT FROM webhook_deliveries GROUP BY tableoid`, 10)
        yield* sql`VACUUM (ANALYZE) forwardings, webhook_deliveries`
        yield* reads(300, (yield* ForwardingRuleRepo).log(organization, page))
        const { deliveries, find } = yield* WebhookEndpointRepo
        yield* reads(300, deliveries(organization, endpoint, {}, page))
        yield* reads(300, deliveries(organization, endpoint, { event: "message.delivered" }, page))
        yield* reads(300, deliveries(organization, endpoint, {}, { page: 100, limit: 20 }))
        // A filter that no delivery matches reads one page of each partition's index.
        yield* reads(60, deliveries(organization, endpoint, { event: "message.bounced" }, page))
        yield* reads(60, deliveries(organization, endpoint, { status: "failed" }, page))
        yield* reads(60, find(organization, endpoint))
      })
    )

    it.effect("in a search, whose index has the organization after the text", () =>
      Effect.gen(function* () {
        const { organization } = yield* Filled
        const sql = yield* SqlClient.SqlClient
        const [some] = yield* sql<{ subject: string }>`SELECT subject_line AS subject FROM messages
          WHERE organization_id = ${organization} AND external_id IS NOT NULL ORDER BY id DESC LIMIT 1`
        const search = Effect.gen(function* () {
          const list = listMessages(sql, organization, { search: some?.subject }, page)
          const found = (yield* explainReads(withoutTimeouts(list))).find(({ plan }) =>
            plan.includes("messages_search_keys")
          )
          return found === undefined ? yield* Effect.dieMessage("no search by the index") : found.buffers
        })
        const organizationLast = yield* search
        const [index] = yield* sql<{
          definition: string
        }>`SELECT pg_get_indexdef(indexrelid) AS definition FROM pg_index
          WHERE indexrelid = 'messages_search_keys'::regclass`
        const organizationFirst = index?.definition
          .replace(", organization_id)", ")")
          .replace("(", "(organization_id, ")
        yield* sql`DROP INDEX messages_search_keys`
        yield* sql.unsafe(organizationFirst ?? "")
        yield* sql`VACUUM (ANALYZE) messages`
        assert.isBelow(organizationLast, yield* search)
      })
    )

    it.effect("in the index only: VACUUM comes after few new rows", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const tables = yield* sql<{ name: string; options: ReadonlyArray<string> }>`SELECT relname AS name,
          COALESCE(reloptions, '{}') AS options FROM pg_class
          WHERE relname IN ${sql.in([...readInIndex])} AND NOT relispartition`
        assert.isNotEmpty(tables)
        for (const { name, options } of tables) {
          assert.include(options, "autovacuum_vacuum_insert_scale_factor=0.02", name)
        }
      })
    )
  }
)
