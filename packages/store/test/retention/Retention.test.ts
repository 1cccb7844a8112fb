import { SqlClient } from "@effect/sql"
import { assert, layer } from "@effect/vitest"
import { DeliveryOutcome } from "@switchboard/domain/messages/delivery/DeliveryOutcome"
import type { MessageId } from "@switchboard/domain/messages/Message"
import { cancelled } from "@switchboard/domain/messages/state/MessageLifecycle"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { RollupRepo } from "@switchboard/services/analytics/RollupRepo"
import { ReceivedMessages } from "@switchboard/services/email/receiving/ReceivedMessages"
import { EngagementRepo } from "@switchboard/services/email/tracking/EngagementRepo"
import { EventRepo } from "@switchboard/services/events/EventRepo"
import { MessageRepo } from "@switchboard/services/messages/MessageRepo"
import { RetentionRepo } from "@switchboard/services/retention/RetentionRepo"
import { objectsInMemory } from "@switchboard/services/testing/objects/ObjectsInMemory"
import { WebhookEndpointRepo } from "@switchboard/services/webhooks/WebhookEndpointRepo"
import { DateTime, Duration, Effect, Layer, Option } from "effect"
import { v7 } from "uuid"
import { insertMail } from "../email/receiving/Fixtures.js"
import { receive } from "../email/receiving/MailFixtures.js"
import { makeOrganization, newMessage } from "../messages/Fixtures.js"
import { delivered, settle, take } from "../messages/QueueFixtures.js"
import { countRows } from "../StoredRows.js"
import { OwnStoreLive } from "../StoreLive.js"
import { deliveriesOf, makeEndpoint, writeEvents } from "../webhooks/Fixtures.js"

const Live = ReceivedMessages.Default.pipe(Layer.provide(objectsInMemory()), Layer.provideMerge(OwnStoreLive))

/** Retention times that are shorter and longer than the age of all data. */
const none = Duration.millis(1)
const long = Duration.hours(1)

const file = { filename: "a.txt", contentType: "text/plain", contentId: null, content: new TextEncoder().encode("a") }

const accept = (own: OrganizationId, overrides: Parameters<typeof newMessage>[1] = {}) =>
  Effect.gen(function* () {
    const repo = yield* MessageRepo
    const message = yield* newMessage(own, overrides)
    const attachments = [{ filename: "a.txt", contentType: "text/plain", size: 1 }]
    const facts = { ...message.facts, content: { ...message.facts.content, attachments } }
    yield* repo.accept({ ...message, facts, attachments: [file] })
    return message
  })

const find = (own: OrganizationId, id: MessageId) =>
  Effect.flatMap(MessageRepo, (repo) => Effect.flatten(repo.find(own, id)))

const takeOwn = (own: OrganizationId) =>
  Effect.map(take("worker"), (taken) => taken.filter(({ organizationId }) => organizationId === own))

layer(Live, { excludeTestServices: true })("Data beyond its retention time", (it) => {
  it.effect("erases the bodies of messages whose delivery has ended, with a time", () =>
    Effect.gen(function* () {
      const { eraseBodies } = yield* RetentionRepo
      const repo = yield* MessageRepo
      const own = yield* makeOrganization()
      const sent = yield* accept(own, { key: "sent" })
      const taken = yield* takeOwn(own)
      yield* settle("worker", taken, delivered)
      const later = DateTime.add(yield* DateTime.now, { days: 1 })
      const scheduled = yield* accept(own, { scheduledAt: later })
      const deferred = yield* accept(own, { to: ["ada@example.com", "bob@example.com"] })
      yield* settle(
        "worker",
        yield* takeOwn(own),
        DeliveryOutcome.Replied({
          replies: [
            { recipient: "ada@example.com", verdict: "accepted", smtpCode: 250, response: "ok" },
            { recipient: "bob@example.com", verdict: "deferred", smtpCode: 451, response: "later" }
          ],
          response: "250 ok",
          providerMessageId: null,
          retryAt: later
        })
      )
      const queued = yield* accept(own)
      const id = sent.facts.id
      const before = yield* find(own, id)

      assert.strictEqual(yield* eraseBodies(long), 0)
      assert.deepStrictEqual(yield* find(own, id), before)

      assert.strictEqual(yield* eraseBodies(none), 1)
      const { content, ...rest } = yield* find(own, id)
      const { erasedAt, ...erased } = content
      assert.match(erasedAt ?? "", /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
      assert.deepStrictEqual(erased, Object.assign({}, before.content, { html: "", text: "", attachments: [] }))
      assert.deepStrictEqual({ ...rest }, (({ content: _, ...other }) => other)(before))
      for (const { facts } of [scheduled, deferred, queued]) {
        assert.strictEqual((yield* find(own, facts.id)).content.text, "Hello")
      }
      assert.strictEqual(yield* countRows("message_attachments", own), 3)
      assert.strictEqual((yield* find(own, deferred.facts.id)).status, "delivered")

      // The idempotency record still identifies the message.
      const again = yield* repo.accept({ ...(yield* newMessage(own, { key: "sent" })) })
      assert.deepStrictEqual([again.message.id, again.message.content], [id, content])

      // Erased messages are not erased again; messages that have ended since are.
      assert.strictEqual(yield* eraseBodies(none), 0)
      assert.deepStrictEqual((yield* find(own, id)).content, content)
      const now = yield* DateTime.now
      yield* repo.change(own, scheduled.facts.id, (state) => Effect.succeed(cancelled(state, now)))
      assert.strictEqual(yield* eraseBodies(none), 1)
      assert.strictEqual((yield* find(own, scheduled.facts.id)).content.text, "")
      assert.strictEqual(yield* countRows("retention_rechecks", own), 2)
      yield* repo.remove(own, deferred.facts.id)
      yield* eraseBodies(none)
      assert.strictEqual(yield* countRows("retention_rechecks", own), 1)
    })
  )

  it.effect("erases the clicks of a message with its body", () =>
    Effect.gen(function* () {
      const { eraseBodies } = yield* RetentionRepo
      const { record } = yield* EngagementRepo
      const own = yield* makeOrganization()
      const { facts } = yield* accept(own)
      yield* settle("worker", yield* takeOwn(own), delivered)
      const at = DateTime.add(yield* DateTime.now, { seconds: 10 })
      const request = { at, client: "other" as const, url: "https://example.com/", userAgent: "x" }
      yield* record([{ mail: { organizationId: own, messageId: facts.id, place: 0 }, request }])
      const clicks = Effect.map(find(own, facts.id), ({ emailMetadata }) => emailMetadata?.clicks?.length)
      assert.strictEqual(yield* clicks, 1)
      yield* eraseBodies(none)
      assert.isUndefined(yield* clicks)
      assert.strictEqual((yield* find(own, facts.id)).status, "read")
    })
  )

  it.effect("erases a received mail and its attachments with its message", () =>
    Effect.gen(function* () {
      const { eraseBodies } = yield* RetentionRepo
      const sql = yield* SqlClient.SqlClient
      const own = yield* makeOrganization()
      const part = {
        filename: "b.txt",
        contentType: "text/plain",
        content: new Uint8Array([98]),
        contentId: null,
        isInline: false
      }
      const id = yield* receive(own, { parts: [part] })
      yield* insertMail(own, id, { fingerprint: v7(), isProcessed: false })
      assert.strictEqual(yield* countRows("inbound_attachments", own), 1)
      assert.strictEqual(yield* eraseBodies(none), 0)
      yield* sql`UPDATE inbound_mails SET processed_at = now() WHERE organization_id = ${own}`
      yield* sql`INSERT INTO forwardings (organization_id, id, mail_id, recipients, keep_copy, forward_to, via_domain, status, created_at)
        VALUES (${own}, ${v7()}, ${id}, '{}', true, 'eve@example.com', 'desk.test', 'waiting', now())`
      assert.strictEqual(yield* eraseBodies(none), 0)
      yield* sql`UPDATE forwardings SET status = 'forwarded' WHERE organization_id = ${own}`
      assert.strictEqual(yield* eraseBodies(none), 1)
      const { content, emailMetadata } = yield* find(own, id)
      assert.deepInclude(content, { subject: "Hello", text: "", html: "", attachments: [] })
      assert.notProperty(content, "replyText")
      assert.strictEqual(emailMetadata?.to[0], "help@desk.test")
      assert.deepStrictEqual(
        yield* Effect.all(["inbound_attachments", "object_removals"].map((table) => countRows(table, own))),
        [0, 1]
      )
      assert.deepStrictEqual(yield* sql`SELECT raw FROM inbound_mails WHERE organization_id = ${own}`, [{ raw: null }])
    })
  )

  it.effect("does not read erased messages again", () =>
    Effect.gen(function* () {
      const { eraseBodies } = yield* RetentionRepo
      const sql = yield* SqlClient.SqlClient
      const own = yield* makeOrganization()
      const { facts } = yield* accept(own)
      const hourAgo = v7({ msecs: Date.now() - 3_600_000 })
      yield* settle("worker", yield* takeOwn(own), delivered)
      yield* sql`UPDATE messages SET id = ${hourAgo} WHERE id = ${facts.id}`
      yield* sql`UPDATE message_states SET message_id = ${hourAgo} WHERE message_id = ${facts.id}`
      assert.strictEqual(yield* eraseBodies(none), 1)
      const marks = yield* sql<{ after: boolean; young: boolean }>`SELECT done_to >= ${hourAgo} AS after,
          done_to > ${v7({ msecs: Date.now() - 60_000 })} AS young
        FROM retention_marks WHERE organization_id = ${own} AND kind = 'bodies'`
      // Younger ids may be committed late.
      assert.deepStrictEqual(marks, [{ after: true, young: false }])
    })
  )

  it.effect("erases events that no delivery needs; the stream continues after the last one", () =>
    Effect.gen(function* () {
      const { eraseEvents } = yield* RetentionRepo
      const events = yield* EventRepo
      const endpoints = yield* WebhookEndpointRepo
      const sql = yield* SqlClient.SqlClient
      yield* eraseEvents(none)
      const own = yield* makeOrganization()
      const other = yield* makeOrganization()
      const [first, second, last] = yield* writeEvents(own, "api_key.created", "api_key.rotated", "api_key.deleted")
      assert.strictEqual(yield* eraseEvents(long), 0)
      const ids = Effect.map(
        sql<{ id: string }>`SELECT id FROM events WHERE organization_id = ${own} ORDER BY id`,
        (rows) => rows.map(({ id }) => id)
      )
      const endpoint = yield* makeEndpoint(own)
      const [pending, failing] = yield* writeEvents(own, "api_key.created", "api_key.created")
      const deliveries = yield* deliveriesOf(endpoint)
      yield* sql`UPDATE webhook_deliveries SET status = 'failed' WHERE event_id = ${failing?.id ?? ""}`
      const [newest] = yield* writeEvents(other, "api_key.created")
      yield* (yield* RollupRepo).project
      const batches = sql`SELECT events FROM event_batches WHERE organization_id = ${own}`

      assert.strictEqual(yield* eraseEvents(none), 3)
      assert.deepStrictEqual(
        yield* ids,
        [pending, failing].flatMap((event) => event?.id ?? [])
      )
      assert.deepStrictEqual([...(yield* batches)], [{ events: yield* ids }])
      for (const gone of [first, second, last]) {
        assert.isTrue(gone !== undefined && Option.isNone(yield* events.positionOf(own, gone.id)))
      }
      // The newest event stays, as the position of readers.
      assert.isTrue(newest !== undefined && Option.isSome(yield* events.positionOf(other, newest.id)))

      yield* sql`UPDATE webhook_deliveries SET status = 'succeeded' WHERE organization_id = ${own}`
      assert.strictEqual(yield* eraseEvents(none), 1)
      assert.deepStrictEqual(
        yield* ids,
        [failing].flatMap((event) => event?.id ?? [])
      )
      const [delivery] = deliveries.filter(({ eventId }) => eventId === pending?.id)
      assert.isDefined(delivery)
      if (delivery !== undefined) assert.strictEqual(yield* endpoints.retry(own, endpoint.id, delivery.id), "missing")
    })
  )

  it.effect("deletes the ids of texts at their providers", () =>
    Effect.gen(function* () {
      const { deleteProviderIds } = yield* RetentionRepo
      const sql = yield* SqlClient.SqlClient
      const own = yield* makeOrganization()
      yield* sql`INSERT INTO provider_messages (channel, provider_message_id, organization_id, message_id, recipient, created_at)
        SELECT 'sms', n::text, ${own}, ${v7()}, '+4930123456', now() - make_interval(mins => n)
        FROM generate_series(30, 100) AS n`
      assert.strictEqual(yield* deleteProviderIds(long), 41)
      assert.strictEqual(yield* countRows("provider_messages", own), 30)
    })
  )

  it.effect("erases the octets of processed mails", () =>
    Effect.gen(function* () {
      const { eraseInboundRaw } = yield* RetentionRepo
      const sql = yield* SqlClient.SqlClient
      const own = yield* makeOrganization()
      const ids = [v7(), v7(), v7()]
      for (const id of ids) yield* insertMail(own, id, { isProcessed: id !== ids[1] })
      const raws = Effect.map(
        sql<{
          there: boolean
        }>`SELECT raw IS NOT NULL AS there FROM inbound_mails WHERE organization_id = ${own} ORDER BY id`,
        (rows) => rows.map(({ there }) => there)
      )
      assert.strictEqual(yield* eraseInboundRaw(long), 0)
      assert.deepStrictEqual(yield* raws, [true, true, true])
      assert.strictEqual(yield* eraseInboundRaw(none), 2)
      assert.deepStrictEqual(yield* raws, [false, true, false])
      yield* sql`UPDATE inbound_mails SET processed_at = now() WHERE organization_id = ${own}`
      assert.strictEqual(yield* eraseInboundRaw(none), 1)
      assert.deepStrictEqual(yield* raws, [false, false, false])
    })
  )
})
