import { SqlClient } from "@effect/sql"
import { assert, layer } from "@effect/vitest"
import { AttachmentId } from "@switchboard/domain/attachments/UploadedAttachment"
import { Draft } from "@switchboard/domain/drafts/Draft"
import { CreateDraft } from "@switchboard/domain/drafts/DraftRequests"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { ParticipantId } from "@switchboard/domain/participants/Participant"
import { AttachmentRepo, unusedRetention } from "@switchboard/services/attachments/AttachmentRepo"
import { Attachments } from "@switchboard/services/attachments/Attachments"
import { DraftRepo, draftKey } from "@switchboard/services/drafts/DraftRepo"
import { cleanUpDrafts, Drafts } from "@switchboard/services/drafts/Drafts"
import { Templates } from "@switchboard/services/email/templates/Templates"
import { decodeMessage } from "@switchboard/services/messages/MessageRepo"
import { Messages } from "@switchboard/services/messages/Messages"
import { ObjectRemovals } from "@switchboard/services/objects/ObjectRemovals"
import { makeOrganization } from "@switchboard/store/testing/messages/Fixtures"
import { DateTime, Effect, Schema } from "effect"
import { v7 } from "uuid"
import { callerOf } from "../messages/MessagesLive.js"
import { oneSucceeds } from "../OneSucceeds.js"
import { draftsLive, judge } from "./DraftsLive.js"

const objects = new Map<string, Uint8Array>()
const Live = draftsLive(objects)

const firstPage = { page: 1, limit: 20 }
const decode = Schema.decodeUnknownSync(CreateDraft)

const draftInput = (given: object = {}) =>
  decode({
    channel: "email",
    recipients: [{ email: "ada@example.com" }],
    content: { subject: `Draft ${v7()}`, html: "<p>Hello</p>" },
    ...given
  })

const createDraft = (own: OrganizationId, given: object = {}) =>
  Effect.flatMap(Drafts, (drafts) => drafts.create(callerOf(own), draftInput(given)))

const upload = (own: OrganizationId, content = "aGVsbG8=") =>
  Effect.flatMap(Attachments, (attachments) =>
    attachments.upload(own, { filename: "hello.txt", contentType: "text/plain", content })
  )

const messagesOf = (own: OrganizationId) =>
  Effect.flatMap(Messages, ({ list }) => Effect.map(list(own, {}, firstPage), ({ items }) => items.map(decodeMessage)))

/** The file's expiry time; null while a draft refers to it, undefined once it is deleted. */
const expiryOf = (id: AttachmentId) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    Effect.map(sql<{ at: Date | null }>`SELECT expires_at AS at FROM attachments WHERE id = ${id}`, ([row]) => row?.at)
  )

const errorOf = <A, E, R>(self: Effect.Effect<A, E, R>) =>
  Effect.map(Effect.flip(self), (error) => ({ ...error, message: error instanceof Error ? error.message : "" }))

/** The JSON that the API returns. */
const encoded = (draft: Draft) => JSON.parse(JSON.stringify(Schema.encodeSync(Draft)(draft)))

layer(Live, { excludeTestServices: true })("Drafts on PostgreSQL", (it) => {
  it.effect("stores partial content unchanged", () =>
    Effect.gen(function* () {
      const drafts = yield* Drafts
      const own = yield* makeOrganization()
      const file = yield* upload(own)
      const content = {
        ...{ subject: "s", body: "b", html: "h", text: "t", templateName: "n" },
        ast: { z: [1, { a: null }], b: "é" },
        variables: { name: "Ada" },
        attachmentIds: [file.id]
      }
      const recipients = [{ email: "not yet", phone: "+49 30", whatsappId: "1", name: "Ada" }, {}]
      const full = yield* createDraft(own, { title: "First", recipients, content })
      assert.deepStrictEqual(encoded(yield* drafts.get(own, full.id)), encoded(full))
      assert.deepInclude({ ...full }, { title: "First", recipients, content })
      const empty = yield* createDraft(own, { channel: "sms", recipients: [], content: {} })
      const read = { ...(yield* drafts.get(own, empty.id)) }
      assert.deepInclude(read, { channel: "sms", recipients: [], content: {} })
      assert.doesNotHaveAnyKeys(read, ["title", "sentMessageId"])
    })
  )

  it.effect("replaces the given fields and keeps the others", () =>
    Effect.gen(function* () {
      const drafts = yield* Drafts
      const own = yield* makeOrganization()
      const created = yield* createDraft(own, { title: "First" })
      const changed = yield* drafts.update(own, created.id, { content: { subject: "Second" }, channel: "sms" })
      assert.deepInclude({ ...changed }, { content: { subject: "Second" }, channel: "sms", title: "First" })
      assert.deepStrictEqual(changed.recipients, created.recipients)
      assert.isTrue(DateTime.greaterThanOrEqualTo(changed.lastEditedAt, created.lastEditedAt))
      assert.deepStrictEqual(encoded(yield* drafts.get(own, created.id)), encoded(changed))
      const untitled = yield* drafts.update(own, created.id, { title: null })
      assert.isUndefined(untitled.title)
      assert.deepStrictEqual(yield* drafts.remove(own, created.id), undefined)
      assert.deepInclude(yield* errorOf(drafts.get(own, created.id)), { resource: "draft", id: created.id })
    })
  )

  it.effect("rejects attachments, templates, participants and messages of another organization", () =>
    Effect.gen(function* () {
      const drafts = yield* Drafts
      const own = yield* makeOrganization()
      const other = yield* makeOrganization()
      const created = yield* createDraft(own)
      const file = yield* upload(own)
      const template = yield* Effect.flatMap(Templates, (templates) =>
        templates.create(own, { name: "T", subject: "s", html: "h" })
      )
      yield* drafts.send(callerOf(own), created.id, judge)
      const [sent] = yield* messagesOf(own)
      const participantId = ParticipantId.make(sent?.toParticipantIds[0] ?? "")
      const named: ReadonlyArray<readonly [string, object, string]> = [
        ["attachment", { content: { attachmentIds: [file.id] } }, file.id],
        ["template", { content: { templateId: template.id } }, template.id],
        ["participant", { recipients: [{ participantId }] }, participantId],
        ["message", { inReplyToMessageId: sent?.id }, String(sent?.id)]
      ]
      for (const [resource, given, id] of named) {
        const mine = yield* createDraft(own, given)
        assert.deepInclude(yield* errorOf(createDraft(other, given)), { resource, id })
        const theirs = yield* createDraft(other)
        const change = decode({ ...draftInput(), ...given })
        assert.deepInclude(yield* errorOf(drafts.update(other, theirs.id, change)), { resource, id })
        assert.deepStrictEqual(encoded(yield* drafts.get(other, theirs.id)), encoded(theirs))
        yield* drafts.update(own, mine.id, change)
      }
      const unknown = ParticipantId.make(v7())
      assert.deepInclude(yield* errorOf(createDraft(own, { recipients: [{ participantId: unknown }] })), {
        id: unknown
      })
      assert.deepInclude(yield* errorOf(createDraft(own, { content: { templateId: "no id" } })), { id: "no id" })
      const nothing = AttachmentId.make(v7())
      assert.deepInclude(yield* errorOf(createDraft(own, { content: { attachmentIds: [nothing] } })), { id: nothing })
    })
  )

  it.effect("lists drafts newest first, filtered by channel and search text", () =>
    Effect.gen(function* () {
      const drafts = yield* Drafts
      const own = yield* makeOrganization()
      yield* createDraft(own, { title: "Alpha 100%", content: {} })
      yield* createDraft(own, { title: "Beta", content: { subject: "The ALPHA order", html: "gamma" } })
      yield* createDraft(own, { title: "Gamma", channel: "sms", recipients: [{ name: "Mr Alpha", phone: "+4930" }] })
      const titles = (filters: Parameters<typeof drafts.list>[1], request = firstPage) =>
        Effect.map(drafts.list(own, filters, request), ({ items, pagination }) => [
          items.map(({ title }) => title),
          pagination.total
        ])
      assert.deepStrictEqual(yield* titles({}), [["Gamma", "Beta", "Alpha 100%"], 3])
      assert.deepStrictEqual(yield* titles({}, { page: 2, limit: 2 }), [["Alpha 100%"], 3])
      assert.deepStrictEqual(yield* titles({ channel: "sms" }), [["Gamma"], 1])
      assert.deepStrictEqual(yield* titles({ search: "alpha" }), [["Gamma", "Beta", "Alpha 100%"], 3])
      assert.deepStrictEqual(yield* titles({ search: "%" }), [["Alpha 100%"], 1])
      assert.deepStrictEqual(yield* titles({ search: "ada@EXAMPLE" }), [["Beta", "Alpha 100%"], 2])
      assert.deepStrictEqual(yield* titles({ search: "+49", channel: "sms" }), [["Gamma"], 1])
      assert.deepStrictEqual(yield* titles({ search: "+49", channel: "email" }), [[], 0])
      // The search covers values, not field names.
      assert.deepStrictEqual(yield* titles({ search: "subject" }), [[], 0])
    })
  )

  it.effect("sends a draft once with concurrent requests and rejects later changes", () =>
    Effect.gen(function* () {
      const drafts = yield* Drafts
      const own = yield* makeOrganization()
      const file = yield* upload(own)
      const created = yield* createDraft(own, { content: { subject: "s", body: "a < b", attachmentIds: [file.id] } })
      yield* oneSucceeds(drafts.send(callerOf(own), created.id, judge), "draft", 8)
      const [message] = yield* messagesOf(own)
      assert.lengthOf(yield* messagesOf(own), 1)
      assert.deepInclude(message?.content, {
        ...{ subject: "s", html: "<p>a &lt; b</p>", text: "a < b" },
        attachments: [{ filename: "hello.txt", contentType: "text/plain", size: 5 }]
      })
      const after = yield* drafts.get(own, created.id)
      assert.deepStrictEqual(encoded(after), { ...encoded(created), sentMessageId: message?.id })
      assert.include(yield* errorOf(drafts.send(callerOf(own), created.id, judge)), { _tag: "ConflictError" })
      assert.include(yield* errorOf(drafts.update(own, created.id, { title: "x" })), { _tag: "ConflictError" })
      assert.deepStrictEqual(encoded(yield* drafts.get(own, created.id)), encoded(after))
      assert.instanceOf(yield* expiryOf(file.id), Date)
      yield* drafts.remove(own, created.id)
      assert.lengthOf(yield* messagesOf(own), 1)
    })
  )

  it.effect("sends a reply in the thread of its message", () =>
    Effect.gen(function* () {
      const drafts = yield* Drafts
      const messages = yield* Messages
      const own = yield* makeOrganization()
      const sent = (given: object = {}) =>
        Effect.flatMap(createDraft(own, given), ({ id }) => drafts.send(callerOf(own), id, judge))
      const parent = yield* sent()
      const { id } = yield* createDraft(own, { title: "Reply", inReplyToMessageId: parent.id })
      const untitled = yield* drafts.update(own, id, { title: null })
      assert.strictEqual(untitled.inReplyToMessageId, parent.id)
      assert.deepStrictEqual(encoded(yield* drafts.get(own, id)), encoded(untitled))
      const reply = yield* drafts.send(callerOf(own), id, judge)
      assert.strictEqual(reply.parentMessageId, parent.id)
      assert.isNotNull(reply.threadId)
      assert.strictEqual((yield* messages.get(own, parent.id)).threadId, reply.threadId)

      const text = { channel: "sms", recipients: [{ phone: "+4930901820" }], content: { text: "Hi" } }
      assert.deepInclude(yield* errorOf(sent({ ...text, inReplyToMessageId: parent.id })), {
        fields: { inReplyToMessageId: ["must not be given for the channel sms"] }
      })
      const late = yield* createDraft(own, { inReplyToMessageId: parent.id })
      yield* messages.remove(own, parent.id)
      const missing = yield* errorOf(drafts.send(callerOf(own), late.id, judge))
      assert.deepInclude(missing, { resource: "message", id: parent.id })
      assert.isUndefined((yield* drafts.update(own, late.id, { inReplyToMessageId: null })).inReplyToMessageId)
      assert.isNull((yield* drafts.send(callerOf(own), late.id, judge)).parentMessageId)
    })
  )

  it.effect("reports the fields of an invalid draft by their draft names and leaves it unsent", () =>
    Effect.gen(function* () {
      const drafts = yield* Drafts
      const own = yield* makeOrganization()
      const created = yield* createDraft(own, {
        recipients: [{ email: "no address" }, { name: "Ada" }],
        content: { body: "b" }
      })
      const refused = yield* Effect.flip(drafts.send(callerOf(own), created.id, judge))
      assert.deepInclude({ ...refused }, { _tag: "ValidationError" })
      assert.sameMembers(Object.keys("fields" in refused ? (refused.fields ?? {}) : {}), [
        "recipients.0.email",
        "recipients.1.email",
        "content.subject"
      ])
      assert.deepStrictEqual(encoded(yield* drafts.get(own, created.id)), encoded(created))
      yield* drafts.update(own, created.id, draftInput())
      yield* drafts.send(callerOf(own), created.id, judge)
    })
  )

  it.effect("fills a template that the draft refers to by id or name", () =>
    Effect.gen(function* () {
      const drafts = yield* Drafts
      const own = yield* makeOrganization()
      const { create } = yield* Templates
      const { id } = yield* create(own, { name: "Welcome", subject: "Hi {{name}}", html: "<p>{{name}}</p>" })
      const created = yield* createDraft(own, { content: { templateName: "Welcome", variables: { name: "Ada" } } })
      const { content } = yield* drafts.send(callerOf(own), created.id, judge)
      assert.deepInclude(content, { subject: "Hi Ada", templateId: id })
      const lacking = yield* createDraft(own, { content: { templateId: id } })
      assert.deepInclude(yield* errorOf(drafts.send(callerOf(own), lacking.id, judge)), {
        fields: { "content.variables.name": ["is required by the template: text, a number, true or false"] }
      })
      const unnamed = yield* createDraft(own, { content: { templateName: "Unknown" } })
      assert.deepInclude(yield* errorOf(drafts.send(callerOf(own), unnamed.id, judge)), {
        ...{ resource: "template", id: "Unknown" }
      })
    })
  )

  it.effect(
    "marks a draft as sent in the transaction that accepts the message, even if the process crashes afterwards",
    () =>
      Effect.gen(function* () {
        const drafts = yield* Drafts
        const repo = yield* DraftRepo
        const messages = yield* Messages
        const own = yield* makeOrganization()
        const created = yield* createDraft(own)
        const now = yield* DateTime.now
        const until = DateTime.addDuration(now, "15 seconds")
        yield* repo.change(own, created.id, until, ({ draft }) => Effect.succeed({ draft, heldUntil: until }))
        // While the draft is held, no request may edit, remove or send it.
        for (const attempt of [
          errorOf(drafts.update(own, created.id, { title: "x" })),
          errorOf(drafts.remove(own, created.id)),
          errorOf(drafts.send(callerOf(own), created.id, judge))
        ]) {
          assert.deepInclude(yield* attempt, { _tag: "ConflictError", message: "The draft is being sent" })
        }
        const request = yield* judge({
          channel: "email",
          to: [{ email: "a@b.cd" }],
          email: { subject: "s", html: "h" }
        })
        const { message } = yield* messages.send(callerOf(own), { ...request, idempotencyKey: draftKey(created.id) })
        // The process crashes here.
        assert.strictEqual((yield* drafts.get(own, created.id)).sentMessageId, message.id)
        const again = yield* errorOf(drafts.send(callerOf(own), created.id, judge))
        assert.include(again.message, "was sent")
        yield* repo.change(own, created.id, until, ({ draft }) => Effect.succeed({ draft, heldUntil: now }))
        const sql = yield* SqlClient.SqlClient
        yield* sql`UPDATE drafts SET sent_message_id = NULL WHERE id = ${created.id}`
        const { round } = yield* cleanUpDrafts
        yield* round
        yield* sql`DELETE FROM message_claims WHERE message_id = ${message.id}`
        assert.strictEqual((yield* drafts.get(own, created.id)).sentMessageId, message.id)
        assert.deepStrictEqual(yield* repo.listExpiredHolds(until, 10), [])
      })
  )

  it.effect("keeps files while a draft refers to them and deletes them after their expiry", () =>
    Effect.gen(function* () {
      const drafts = yield* Drafts
      const repo = yield* AttachmentRepo
      const removals = yield* ObjectRemovals
      const own = yield* makeOrganization()
      const [file, other, unused] = yield* Effect.all([upload(own), upload(own), upload(own)])
      assert.strictEqual(Buffer.from(objects.get(`${own}/attachments/${file.id}`) ?? []).toString(), "hello")
      const first = yield* createDraft(own, { content: { attachmentIds: [file.id, other.id] } })
      const second = yield* createDraft(own, { content: { attachmentIds: [file.id] } })
      assert.deepStrictEqual([yield* expiryOf(file.id), yield* expiryOf(other.id)], [null, null])
      yield* drafts.update(own, first.id, { content: { attachmentIds: [file.id] } })
      assert.deepStrictEqual([yield* expiryOf(file.id), (yield* expiryOf(other.id)) instanceof Date], [null, true])
      yield* drafts.remove(own, first.id)
      assert.isNull(yield* expiryOf(file.id))
      const later = DateTime.addDuration(yield* DateTime.now, unusedRetention).pipe(DateTime.add({ seconds: 1 }))
      assert.strictEqual(yield* repo.removeUnused(yield* DateTime.now, 10), 0)
      assert.isAtLeast(yield* repo.removeUnused(later, 10), 2)
      assert.deepStrictEqual([yield* expiryOf(unused.id), yield* expiryOf(other.id)], [undefined, undefined])
      const due = yield* removals.takeDue(later, later, 1000)
      assert.includeMembers(
        due.map(({ key }) => String(key)),
        [`${own}/attachments/${unused.id}`, `${own}/attachments/${other.id}`]
      )
      const withDeleted = { content: { attachmentIds: [other.id] } }
      assert.deepInclude(yield* errorOf(createDraft(own, withDeleted)), { resource: "attachment", id: other.id })
      yield* drafts.remove(own, second.id)
      assert.instanceOf(yield* expiryOf(file.id), Date)
      const third = yield* createDraft(own, { content: { attachmentIds: [file.id] } })
      assert.strictEqual(yield* repo.removeUnused(later, 10), 0)
      assert.isNull(yield* expiryOf(file.id))
      yield* drafts.remove(own, third.id)
    })
  )

  it.effect("rejects attachments beyond the size limit of a message", () =>
    Effect.gen(function* () {
      const drafts = yield* Drafts
      const own = yield* makeOrganization()
      const large = Buffer.alloc(13 * 1024 * 1024).toString("base64")
      const files = yield* Effect.all([upload(own, large), upload(own, large)])
      const attachmentIds = files.map(({ id }) => id)
      const created = yield* createDraft(own, { content: { subject: "s", html: "h", attachmentIds } })
      assert.deepInclude(yield* errorOf(drafts.send(callerOf(own), created.id, judge)), {
        fields: { "content.attachmentIds": ["must be at most 25 MiB in all"] }
      })
      assert.lengthOf(yield* messagesOf(own), 0)
    })
  )
})
