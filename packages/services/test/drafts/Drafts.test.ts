import { SqlClient } from "@effect/sql"
import { assert, layer } from "@effect/vitest"
import { AttachmentId } from "@switchboard/domain/attachments/UploadedAttachment"
import { Draft, DraftId } from "@switchboard/domain/drafts/Draft"
import { CreateDraft } from "@switchboard/domain/drafts/DraftRequests"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { ParticipantId } from "@switchboard/domain/participants/Participant"
import { AttachmentRepo, unusedLast } from "@switchboard/services/attachments/AttachmentRepo"
import { Attachments } from "@switchboard/services/attachments/Attachments"
import { cleanUpDrafts } from "@switchboard/services/drafts/CleanUpDrafts"
import { DraftRepo, draftKey } from "@switchboard/services/drafts/DraftRepo"
import { Drafts } from "@switchboard/services/drafts/Drafts"
import { Templates } from "@switchboard/services/email/templates/Templates"
import { Messages } from "@switchboard/services/messages/Messages"
import { ObjectRemovals } from "@switchboard/services/objects/ObjectRemovals"
import { makeOrganization } from "@switchboard/store/testing/messages/Fixtures"
import { DateTime, Effect, Schema } from "effect"
import { v7 } from "uuid"
import { callerOf } from "../messages/MessagesLive.js"
import { draftsOn, judge } from "./DraftsOn.js"

const objects = new Map<string, Uint8Array>()
const Live = draftsOn(objects)

const firstPage = { page: 1, limit: 20 }
const decode = Schema.decodeUnknownSync(CreateDraft)

const written = (given: object = {}) =>
  decode({
    channel: "email",
    recipients: [{ email: "ada@example.com" }],
    content: { subject: `Draft ${v7()}`, html: "<p>Hello</p>" },
    ...given
  })

const make = (own: OrganizationId, given: object = {}) =>
  Effect.flatMap(Drafts, (drafts) => drafts.create(callerOf(own), written(given)))

const upload = (own: OrganizationId, content = "aGVsbG8=") =>
  Effect.flatMap(Attachments, (attachments) =>
    attachments.upload(own, { filename: "hello.txt", contentType: "text/plain", content })
  )

const messagesOf = (own: OrganizationId) =>
  Effect.flatMap(Messages, ({ list }) => Effect.map(list(own, {}, firstPage), ({ items }) => items))

/** When a file goes; null while a draft needs it, nothing once it is gone. */
const expiryOf = (id: AttachmentId) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    Effect.map(sql<{ at: Date | null }>`SELECT expires_at AS at FROM attachments WHERE id = ${id}`, ([row]) => row?.at)
  )

const failure = <A, E, R>(self: Effect.Effect<A, E, R>) =>
  Effect.map(Effect.flip(self), (error) => ({ ...error, message: error instanceof Error ? error.message : "" }))

/** A draft as callers read it. */
const told = (draft: Draft) => JSON.parse(JSON.stringify(Schema.encodeSync(Draft)(draft)))

layer(Live, { timeout: "300 seconds", excludeTestServices: true })("Drafts, on PostgreSQL", (it) => {
  it.effect("are read as they were written, however little that is", () =>
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
      const full = yield* make(own, { title: "First", recipients, content })
      assert.deepStrictEqual(told(yield* drafts.get(own, full.id)), told(full))
      assert.deepInclude({ ...full }, { title: "First", recipients, content })
      const empty = yield* make(own, { channel: "sms", recipients: [], content: {} })
      const read = { ...(yield* drafts.get(own, empty.id)) }
      assert.deepInclude(read, { channel: "sms", recipients: [], content: {} })
      assert.doesNotHaveAnyKeys(read, ["title", "sentMessageId"])
    })
  )

  it.effect("change by what is given, as a whole", () =>
    Effect.gen(function* () {
      const drafts = yield* Drafts
      const own = yield* makeOrganization()
      const made = yield* make(own, { title: "First" })
      const changed = yield* drafts.update(own, made.id, { content: { subject: "Second" }, channel: "sms" })
      assert.deepInclude({ ...changed }, { content: { subject: "Second" }, channel: "sms", title: "First" })
      assert.deepStrictEqual(changed.recipients, made.recipients)
      assert.isTrue(DateTime.greaterThanOrEqualTo(changed.lastEditedAt, made.lastEditedAt))
      assert.deepStrictEqual(told(yield* drafts.get(own, made.id)), told(changed))
      const untitled = yield* drafts.update(own, made.id, { title: null })
      assert.isUndefined(untitled.title)
      assert.deepStrictEqual(yield* drafts.remove(own, made.id), undefined)
      assert.deepInclude(yield* failure(drafts.get(own, made.id)), { resource: "draft", id: made.id })
    })
  )

  it.effect("belong to one organization, and name nothing that it does not have", () =>
    Effect.gen(function* () {
      const drafts = yield* Drafts
      const own = yield* makeOrganization()
      const other = yield* makeOrganization()
      const made = yield* make(own)
      for (const id of [made.id, DraftId.make(v7())]) {
        for (const attempt of [
          failure(drafts.get(other, id)),
          failure(drafts.update(other, id, { title: "mine" })),
          failure(drafts.remove(other, id)),
          failure(drafts.send(callerOf(other), id, judge))
        ]) {
          assert.deepInclude(yield* attempt, { resource: "draft", id })
        }
      }
      assert.deepStrictEqual(told(yield* drafts.get(own, made.id)), told(made))
      const file = yield* upload(own)
      const template = yield* Effect.flatMap(Templates, (templates) =>
        templates.create(own, { name: "T", subject: "s", html: "h" })
      )
      yield* drafts.send(callerOf(own), made.id, judge)
      const [sent] = yield* messagesOf(own)
      const participantId = ParticipantId.make(sent?.toParticipantIds[0] ?? "")
      const named: ReadonlyArray<readonly [string, object, string]> = [
        ["attachment", { content: { attachmentIds: [file.id] } }, file.id],
        ["template", { content: { templateId: template.id } }, template.id],
        ["participant", { recipients: [{ participantId }] }, participantId]
      ]
      for (const [resource, given, id] of named) {
        const mine = yield* make(own, given)
        assert.deepInclude(yield* failure(make(other, given)), { resource, id })
        const theirs = yield* make(other)
        const change = decode({ ...written(), ...given })
        assert.deepInclude(yield* failure(drafts.update(other, theirs.id, change)), { resource, id })
        assert.deepStrictEqual(told(yield* drafts.get(other, theirs.id)), told(theirs))
        yield* drafts.update(own, mine.id, change)
      }
      const unknown = ParticipantId.make(v7())
      assert.deepInclude(yield* failure(make(own, { recipients: [{ participantId: unknown }] })), { id: unknown })
      assert.deepInclude(yield* failure(make(own, { content: { templateId: "no id" } })), { id: "no id" })
      const nothing = AttachmentId.make(v7())
      assert.deepInclude(yield* failure(make(own, { content: { attachmentIds: [nothing] } })), { id: nothing })
    })
  )

  it.effect("are listed newest first, narrowed to a channel and to what is searched for", () =>
    Effect.gen(function* () {
      const drafts = yield* Drafts
      const own = yield* makeOrganization()
      yield* make(own, { title: "Alpha 100%", content: {} })
      yield* make(own, { title: "Beta", content: { subject: "The ALPHA order", html: "gamma" } })
      yield* make(own, { title: "Gamma", channel: "sms", recipients: [{ name: "Mr Alpha", phone: "+4930" }] })
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
      // What is no part of a text is none of its field's name either.
      assert.deepStrictEqual(yield* titles({ search: "subject" }), [[], 0])
    })
  )

  it.effect("are sent once, as what they say, and are closed then", () =>
    Effect.gen(function* () {
      const drafts = yield* Drafts
      const own = yield* makeOrganization()
      const file = yield* upload(own)
      const made = yield* make(own, { content: { subject: "s", body: "a < b", attachmentIds: [file.id] } })
      const sends = yield* Effect.all(
        Array.from({ length: 8 }, () => Effect.either(drafts.send(callerOf(own), made.id, judge))),
        { concurrency: "unbounded" }
      )
      const sent = sends.flatMap((one) => (one._tag === "Right" ? [one.right] : []))
      assert.lengthOf(sent, 1)
      for (const one of sends) {
        if (one._tag === "Left") assert.deepInclude({ ...one.left }, { _tag: "ConflictError", resource: "draft" })
      }
      const [message] = yield* messagesOf(own)
      assert.lengthOf(yield* messagesOf(own), 1)
      assert.deepInclude(message?.content, {
        ...{ subject: "s", html: "<p>a &lt; b</p>", text: "a < b" },
        attachments: [{ filename: "hello.txt", contentType: "text/plain", size: 5 }]
      })
      const after = yield* drafts.get(own, made.id)
      assert.deepStrictEqual(told(after), { ...told(made), sentMessageId: message?.id })
      assert.include(yield* failure(drafts.send(callerOf(own), made.id, judge)), { _tag: "ConflictError" })
      assert.include(yield* failure(drafts.update(own, made.id, { title: "x" })), { _tag: "ConflictError" })
      assert.deepStrictEqual(told(yield* drafts.get(own, made.id)), told(after))
      assert.instanceOf(yield* expiryOf(file.id), Date)
      yield* drafts.remove(own, made.id)
      assert.lengthOf(yield* messagesOf(own), 1)
    })
  )

  it.effect("stay as they are when they are refused, by the names that they have for it", () =>
    Effect.gen(function* () {
      const drafts = yield* Drafts
      const own = yield* makeOrganization()
      const made = yield* make(own, { recipients: [{ email: "no address" }, { name: "Ada" }], content: { body: "b" } })
      const refused = yield* Effect.flip(drafts.send(callerOf(own), made.id, judge))
      assert.deepInclude({ ...refused }, { _tag: "ValidationError" })
      assert.sameMembers(Object.keys("fields" in refused ? (refused.fields ?? {}) : {}), [
        "recipients.0.email",
        "recipients.1.email",
        "content.subject"
      ])
      assert.deepStrictEqual(told(yield* drafts.get(own, made.id)), told(made))
      yield* drafts.update(own, made.id, written())
      yield* drafts.send(callerOf(own), made.id, judge)
    })
  )

  it.effect("are filled by a template, which they may name by its name", () =>
    Effect.gen(function* () {
      const drafts = yield* Drafts
      const own = yield* makeOrganization()
      const { create } = yield* Templates
      const { id } = yield* create(own, { name: "Welcome", subject: "Hi {{name}}", html: "<p>{{name}}</p>" })
      const made = yield* make(own, { content: { templateName: "Welcome", variables: { name: "Ada" } } })
      const { content } = yield* drafts.send(callerOf(own), made.id, judge)
      assert.deepInclude(content, { subject: "Hi Ada", templateId: id })
      const lacking = yield* make(own, { content: { templateId: id } })
      assert.deepInclude(yield* failure(drafts.send(callerOf(own), lacking.id, judge)), {
        fields: { "content.variables.name": ["is required by the template: text, a number, true or false"] }
      })
      const unnamed = yield* make(own, { content: { templateName: "Nobody's" } })
      assert.deepInclude(yield* failure(drafts.send(callerOf(own), unnamed.id, judge)), {
        ...{ resource: "template", id: "Nobody's" }
      })
    })
  )

  it.effect("are sent in the moment in which the message is accepted, whoever crashes after that", () =>
    Effect.gen(function* () {
      const drafts = yield* Drafts
      const repo = yield* DraftRepo
      const messages = yield* Messages
      const own = yield* makeOrganization()
      const made = yield* make(own)
      const now = yield* DateTime.now
      const until = DateTime.addDuration(now, "15 seconds")
      yield* repo.change(own, made.id, until, ({ draft }) => Effect.succeed({ draft, heldUntil: until }))
      // Whoever holds it may be at work: nobody edits, removes or sends it.
      for (const attempt of [
        failure(drafts.update(own, made.id, { title: "x" })),
        failure(drafts.remove(own, made.id)),
        failure(drafts.send(callerOf(own), made.id, judge))
      ]) {
        assert.deepInclude(yield* attempt, { _tag: "ConflictError", message: "The draft is just being sent" })
      }
      const request = yield* judge({ channel: "email", to: [{ email: "a@b.cd" }], email: { subject: "s", html: "h" } })
      const { message } = yield* messages.send(callerOf(own), { ...request, idempotencyKey: draftKey(made.id) })
      // Here its process ended.
      assert.strictEqual((yield* drafts.get(own, made.id)).sentMessageId, message.id)
      const again = yield* failure(drafts.send(callerOf(own), made.id, judge))
      assert.include(again.message, "was sent")
      yield* repo.change(own, made.id, until, ({ draft }) => Effect.succeed({ draft, heldUntil: now }))
      const sql = yield* SqlClient.SqlClient
      yield* sql`UPDATE drafts SET sent_message_id = NULL WHERE id = ${made.id}`
      const { round } = yield* cleanUpDrafts
      yield* round
      yield* sql`DELETE FROM message_claims WHERE message_id = ${message.id}`
      assert.strictEqual((yield* drafts.get(own, made.id)).sentMessageId, message.id)
      assert.deepStrictEqual(yield* repo.listLeft(until, 10), [])
    })
  )

  it.effect("keep the files that they name, which go when nobody has named them for long", () =>
    Effect.gen(function* () {
      const drafts = yield* Drafts
      const repo = yield* AttachmentRepo
      const removals = yield* ObjectRemovals
      const own = yield* makeOrganization()
      const [file, other, unused] = yield* Effect.all([upload(own), upload(own), upload(own)])
      assert.strictEqual(Buffer.from(objects.get(`${own}/attachments/${file.id}`) ?? []).toString(), "hello")
      const first = yield* make(own, { content: { attachmentIds: [file.id, other.id] } })
      const second = yield* make(own, { content: { attachmentIds: [file.id] } })
      assert.deepStrictEqual([yield* expiryOf(file.id), yield* expiryOf(other.id)], [null, null])
      yield* drafts.update(own, first.id, { content: { attachmentIds: [file.id] } })
      assert.deepStrictEqual([yield* expiryOf(file.id), (yield* expiryOf(other.id)) instanceof Date], [null, true])
      yield* drafts.remove(own, first.id)
      assert.isNull(yield* expiryOf(file.id))
      const later = DateTime.addDuration(yield* DateTime.now, unusedLast).pipe(DateTime.add({ seconds: 1 }))
      assert.strictEqual(yield* repo.removeUnused(yield* DateTime.now, 10), 0)
      assert.isAtLeast(yield* repo.removeUnused(later, 10), 2)
      assert.deepStrictEqual([yield* expiryOf(unused.id), yield* expiryOf(other.id)], [undefined, undefined])
      const due = yield* removals.takeDue(later, later, 1000)
      assert.includeMembers(
        due.map(({ key }) => String(key)),
        [`${own}/attachments/${unused.id}`, `${own}/attachments/${other.id}`]
      )
      const gone = { content: { attachmentIds: [other.id] } }
      assert.deepInclude(yield* failure(make(own, gone)), { resource: "attachment", id: other.id })
      yield* drafts.remove(own, second.id)
      assert.instanceOf(yield* expiryOf(file.id), Date)
      const third = yield* make(own, { content: { attachmentIds: [file.id] } })
      assert.strictEqual(yield* repo.removeUnused(later, 10), 0)
      assert.isNull(yield* expiryOf(file.id))
      yield* drafts.remove(own, third.id)
    })
  )

  it.effect("are not sent with more than a message may carry", () =>
    Effect.gen(function* () {
      const drafts = yield* Drafts
      const own = yield* makeOrganization()
      const large = Buffer.alloc(13 * 1024 * 1024).toString("base64")
      const files = yield* Effect.all([upload(own, large), upload(own, large)])
      const attachmentIds = files.map(({ id }) => id)
      const made = yield* make(own, { content: { subject: "s", html: "h", attachmentIds } })
      assert.deepInclude(yield* failure(drafts.send(callerOf(own), made.id, judge)), {
        fields: { "content.attachmentIds": ["must be at most 25 MiB in all"] }
      })
      assert.lengthOf(yield* messagesOf(own), 0)
    })
  )
})
