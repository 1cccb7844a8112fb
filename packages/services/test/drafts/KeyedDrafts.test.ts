import { assert, layer } from "@effect/vitest"
import { AttachmentId } from "@switchboard/domain/attachments/UploadedAttachment"
import { type Draft, DraftId } from "@switchboard/domain/drafts/Draft"
import { CreateDraft } from "@switchboard/domain/drafts/DraftRequests"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { Attachments } from "@switchboard/services/attachments/Attachments"
import { DraftRepo, draftKey } from "@switchboard/services/drafts/DraftRepo"
import { Drafts } from "@switchboard/services/drafts/Drafts"
import { createOnce } from "@switchboard/services/idempotency/CreateOnce"
import { makeCreationKey } from "@switchboard/services/idempotency/CreationKey"
import { CreationKeyRepo } from "@switchboard/services/idempotency/CreationKeyRepo"
import { Messages } from "@switchboard/services/messages/Messages"
import { makeOrganization } from "@switchboard/store/testing/messages/Fixtures"
import { Array, DateTime, Effect, Option, Schema } from "effect"
import { v7 } from "uuid"
import { callerOf } from "../messages/MessagesLive.js"
import { draftsLive, judge } from "./DraftsLive.js"

/** An object store that can fail. */
class FailingObjects extends Map<string, Uint8Array> {
  fails = false
  override set(key: string, value: Uint8Array) {
    if (this.fails) throw new Error("The object store failed")
    return super.set(key, value)
  }
}

const objects = new FailingObjects()

const keyOf = (organizationId: OrganizationId, request: unknown) =>
  Effect.runSync(makeCreationKey({ organizationId, operation: "POST /things", key: "k", request }))

const createDraft = (own: OrganizationId, content: object = { html: "<p>Hello</p>" }) =>
  Effect.flatMap(Drafts, (drafts) =>
    drafts.create(
      callerOf(own),
      Schema.decodeUnknownSync(CreateDraft)({
        channel: "email",
        recipients: [{ email: "ada@example.com" }],
        content: { subject: `Draft ${v7()}`, ...content }
      })
    )
  )

/** Sends a draft with the organization's key. */
const sendOnce = ({ id, organizationId }: Draft) =>
  Effect.gen(function* () {
    const drafts = yield* Drafts
    const once = yield* createOnce
    return yield* once(keyOf(organizationId, { id }), drafts.send(callerOf(organizationId), id, judge), (original) =>
      drafts.sentMessage(organizationId, DraftId.make(original))
    )
  })

/** Accepts the message of a draft, as the first step of a request that sends it. */
const sendOf = ({ id, organizationId }: Draft) =>
  Effect.gen(function* () {
    const messages = yield* Messages
    const request = yield* judge({
      channel: "email",
      to: [{ email: "ada@example.com" }],
      email: { subject: "Hello", html: "<p>Hello</p>" }
    })
    const sent = yield* messages.send(callerOf(organizationId), { ...request, idempotencyKey: draftKey(id) })
    return sent.message
  })

const upload = (own: OrganizationId) =>
  Effect.gen(function* () {
    const attachments = yield* Attachments
    const once = yield* createOnce
    const file = { filename: "hello.txt", contentType: "text/plain", content: "aGVsbG8=" }
    return yield* once(keyOf(own, file), attachments.upload(own, file), (id) =>
      attachments.get(own, AttachmentId.make(id))
    )
  })

layer(draftsLive(objects), { excludeTestServices: true })("An idempotency key", (it) => {
  it.effect("returns the message of a draft to concurrent and later requests", () =>
    Effect.gen(function* () {
      const draft = yield* createDraft(yield* makeOrganization())
      const sent = yield* Effect.all(
        Array.makeBy(6, () => sendOnce(draft)),
        { concurrency: "unbounded" }
      )
      assert.lengthOf(
        sent.filter(({ replayed }) => !replayed),
        1
      )
      const later = yield* sendOnce(draft)
      assert.isTrue(later.replayed)
      assert.deepStrictEqual(new Set(sent.map(({ resource }) => resource.id)), new Set([later.resource.id]))
      const other = yield* createDraft(draft.organizationId)
      assert.include(yield* Effect.flip(sendOnce(other)), { _tag: "ConflictError", resource: "idempotencyKey" })
    })
  )

  it.effect("is kept while another request sends the draft, and returns its message", () =>
    Effect.gen(function* () {
      const keys = yield* CreationKeyRepo
      const drafts = yield* Drafts
      const repo = yield* DraftRepo
      const draft = yield* createDraft(yield* makeOrganization())
      const { id, organizationId } = draft
      const heldUntil = DateTime.add(yield* DateTime.now, { hours: 1 })
      yield* repo.change(organizationId, id, heldUntil, (stored) => Effect.succeed({ ...stored, heldUntil }))
      const waiting = yield* Effect.fork(sendOnce(draft))
      yield* Effect.repeat(keys.find(keyOf(organizationId, { id })), { until: Option.isSome })
      const message = yield* sendOf(draft)
      yield* drafts.release(organizationId, id)
      const { replayed, resource } = yield* waiting
      assert.deepStrictEqual([replayed, resource.id], [true, message.id])
      assert.isTrue(Option.isSome(yield* keys.find(keyOf(organizationId, { id }))))
    })
  )

  it.effect("does not belong to a draft that was sent before", () =>
    Effect.gen(function* () {
      const draft = yield* createDraft(yield* makeOrganization())
      yield* sendOf(draft)
      const refused = yield* Effect.all([Effect.flip(sendOnce(draft)), Effect.flip(sendOnce(draft))])
      for (const error of refused) assert.include(error, { _tag: "ConflictError", resource: "draft" })
    })
  )

  it.effect("is not kept by a draft that was refused", () =>
    Effect.gen(function* () {
      const own = yield* makeOrganization()
      const refused = yield* createDraft(own, {})
      assert.strictEqual((yield* Effect.flip(sendOnce(refused)))._tag, "ValidationError")
      assert.isFalse((yield* sendOnce(yield* createDraft(own))).replayed)
    })
  )

  it.effect("sends a draft after a crash before its message was accepted, and not after a later crash", () =>
    Effect.gen(function* () {
      const keys = yield* CreationKeyRepo
      const unsent = yield* createDraft(yield* makeOrganization())
      yield* keys.store(keyOf(unsent.organizationId, { id: unsent.id }), unsent.id)
      assert.isFalse((yield* sendOnce(unsent)).replayed)

      const accepted = yield* createDraft(yield* makeOrganization())
      yield* keys.store(keyOf(accepted.organizationId, { id: accepted.id }), accepted.id)
      const message = yield* sendOf(accepted)
      const replay = yield* sendOnce(accepted)
      assert.deepStrictEqual([replay.replayed, replay.resource.id], [true, message.id])
    })
  )

  it.effect("does not belong to a file without content", () =>
    Effect.gen(function* () {
      const own = yield* makeOrganization()
      const keys = yield* CreationKeyRepo
      objects.fails = true
      assert.isTrue((yield* Effect.exit(upload(own)))._tag === "Failure")
      objects.fails = false
      const uploads = yield* Effect.all(
        Array.makeBy(4, () => upload(own)),
        { concurrency: "unbounded" }
      )
      assert.lengthOf(
        uploads.filter(({ replayed }) => !replayed),
        1
      )
      const ids = new Set(uploads.map(({ resource }) => resource.id))
      assert.strictEqual(ids.size, 1)
      const stored = yield* keys.find(
        keyOf(own, { filename: "hello.txt", contentType: "text/plain", content: "aGVsbG8=" })
      )
      assert.isTrue(Option.exists(stored, ({ resourceId }) => ids.has(AttachmentId.make(resourceId))))
    })
  )
})
