import { SqlClient } from "@effect/sql"
import { assert, layer } from "@effect/vitest"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { ObjectStore } from "@switchboard/services/objects/ObjectStore"
import { removeObjects } from "@switchboard/services/objects/RemoveObjects"
import { uploadsPath } from "@switchboard/services/objects/UploadLinks"
import { newHold } from "@switchboard/services/voice/knowledgeBases/DocumentUpload"
import { KnowledgeBaseRepo } from "@switchboard/services/voice/knowledgeBases/KnowledgeBaseRepo"
import { KnowledgeBases } from "@switchboard/services/voice/knowledgeBases/KnowledgeBases"
import { Uploads } from "@switchboard/services/voice/knowledgeBases/Uploads"
import { makeOrganization } from "@switchboard/store/testing/messages/Fixtures"
import { Data, Deferred, Effect, Fiber, Option, Stream, TestClock } from "effect"
import { knowledgeBasesLive } from "./KnowledgeBasesLive.js"

const firstPage = { page: 1, limit: 20 }
const hello = { filename: "hello.txt", contentType: "text/plain", contentLength: 5 }

const objects = new Map<string, Uint8Array>()

const text = (content: string): Stream.Stream<Uint8Array> => Stream.make(Buffer.from(content))

const sendUpload = (
  token: string,
  bytes = text("hello"),
  contentType = "text/plain",
  contentLength: number | null = null
) => Effect.flatMap(Uploads, (uploads) => uploads.receive(token, { contentType, contentLength, bytes }))

const createBase = Effect.fnUntraced(function* (own: OrganizationId, name = "Shop") {
  const bases = yield* KnowledgeBases
  return yield* bases.create(own, { name })
})

/** Creates a knowledge base with an upload link for a document. */
const createUpload = Effect.fnUntraced(function* (own: OrganizationId, given: Partial<typeof hello> = {}) {
  const bases = yield* KnowledgeBases
  const base = yield* createBase(own)
  const target = yield* bases.requestUpload(own, base.id, { ...hello, ...given })
  const status = Effect.map(bases.documents(own, base.id, firstPage), ({ items: [document] }) => document?.status)
  const token = target.uploadUrl.slice(`https://mail.test${uploadsPath}`.length)
  return { ...target, base, status, token }
})

const tagOf = <A, E extends { readonly _tag: string }, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.map(Effect.flip(effect), ({ _tag }) => _tag)

const pendingRemovals = (own: OrganizationId) =>
  Effect.flatMap(
    SqlClient.SqlClient,
    (sql) => sql<{ key: string }>`SELECT key FROM object_removals WHERE organization_id = ${own} ORDER BY key`
  )

layer(knowledgeBasesLive(objects))("KnowledgeBases on PostgreSQL", (it) => {
  it.effect("stores and returns bases, and hides them from other organizations", () =>
    Effect.gen(function* () {
      const bases = yield* KnowledgeBases
      const [own, other] = [yield* makeOrganization(), yield* makeOrganization()]
      const shop = yield* bases.create(own, { name: "Shop", description: "Opening hours" })
      const plain = yield* bases.create(own, { name: "Plain" })
      assert.deepStrictEqual({ ...(yield* bases.get(own, shop.id)) }, { ...shop })
      assert.notProperty({ ...(yield* bases.get(own, plain.id)) }, "description")
      assert.strictEqual(yield* tagOf(bases.get(other, shop.id)), "ResourceNotFoundError")
      assert.strictEqual(yield* tagOf(bases.documents(other, shop.id, firstPage)), "ResourceNotFoundError")
      assert.strictEqual(yield* tagOf(bases.requestUpload(other, shop.id, hello)), "ResourceNotFoundError")
      assert.strictEqual(yield* tagOf(bases.remove(other, shop.id)), "ResourceNotFoundError")
      const names = (search?: string) =>
        Effect.map(bases.list(own, search === undefined ? {} : { search }, firstPage), ({ items, pagination }) => [
          pagination.total,
          ...items.map(({ name }) => name)
        ])
      assert.deepStrictEqual(yield* names(), [2, "Plain", "Shop"])
      assert.deepStrictEqual(yield* names("OPENING"), [1, "Shop"])
      assert.deepStrictEqual(yield* names("la"), [1, "Plain"])
      assert.deepStrictEqual((yield* bases.list(other, {}, firstPage)).items, [])
    })
  )

  it.effect("counts a document once it is uploaded, and rejects a second upload", () =>
    Effect.gen(function* () {
      const bases = yield* KnowledgeBases
      const own = yield* makeOrganization()
      const { base, documentId, status, storageKey, token } = yield* createUpload(own)
      const { items } = yield* bases.documents(own, base.id, firstPage)
      assert.deepStrictEqual(
        items.map((document) => ({ ...document, createdAt: null })),
        [
          {
            ...{ ...hello, id: documentId, knowledgeBaseId: base.id, storageKey },
            ...{ status: "pending_upload", createdAt: null }
          }
        ]
      )
      assert.strictEqual((yield* bases.get(own, base.id)).documentCount, 0)
      yield* TestClock.adjust("1 minute")
      yield* sendUpload(token)
      assert.strictEqual(yield* status, "ready")
      assert.strictEqual(Buffer.from(objects.get(storageKey) ?? []).toString(), "hello")
      const counted = yield* bases.get(own, base.id)
      assert.strictEqual(counted.documentCount, 1)
      assert.strictEqual(counted.updatedAt.epochMillis - base.updatedAt.epochMillis, 60_000)
      assert.strictEqual(yield* tagOf(sendUpload(token, text("other"))), "ConflictError")
      assert.strictEqual(Buffer.from(objects.get(storageKey) ?? []).toString(), "hello")
    })
  )

  it.effect("rejects content of another type or size, and accepts the right content afterwards", () =>
    Effect.gen(function* () {
      const own = yield* makeOrganization()
      const { status, storageKey, token } = yield* createUpload(own)
      class Broken extends Data.TaggedError("Broken")<object> {}
      for (const wrong of [
        sendUpload(token, text("hello"), "text/html"),
        sendUpload(token, text("hell")),
        sendUpload(token, text("hello!")),
        sendUpload(token, Stream.empty),
        sendUpload(token, Stream.make(Buffer.from("hel"), Buffer.from("lo!"))),
        sendUpload(token, text("hello"), "text/plain", 6)
      ]) {
        assert.strictEqual(yield* tagOf(wrong), "ValidationError")
        assert.isFalse(objects.has(storageKey))
      }
      const breaking = Stream.concat(text("hel"), new Broken())
      const broken = Effect.flatMap(Uploads, (uploads) =>
        uploads.receive(token, { contentType: "text/plain", contentLength: 5, bytes: breaking })
      )
      assert.strictEqual(yield* tagOf(broken), "Broken")
      assert.strictEqual(yield* status, "pending_upload")
      yield* sendUpload(token, Stream.make(Buffer.from("hel"), Buffer.from("lo")), "Text/Plain", 5)
      assert.strictEqual(yield* status, "ready")
    })
  )

  it.effect("rejects a forged or expired upload link", () =>
    Effect.gen(function* () {
      const own = yield* makeOrganization()
      const { documentId, token } = yield* createUpload(own)
      const other = yield* createUpload(own)
      const signature = token.split(".")[2] ?? ""
      for (const wrong of ["", "a.b.c", `${token}x`, token.replace(documentId, other.documentId), signature]) {
        assert.strictEqual(yield* tagOf(sendUpload(wrong)), "ResourceNotFoundError", wrong)
      }
      yield* TestClock.adjust("899 seconds")
      yield* sendUpload(token)
      yield* TestClock.adjust("1 second")
      assert.strictEqual(yield* tagOf(sendUpload(other.token)), "ResourceNotFoundError")
    })
  )

  it.effect("stores the first complete upload, and rejects a slower one at its end", () =>
    Effect.gen(function* () {
      const own = yield* makeOrganization()
      const { status, storageKey, token } = yield* createUpload(own)
      const started = yield* Deferred.make<void>()
      const rest = yield* Deferred.make<Buffer>()
      const slow = Stream.concat(
        Stream.tap(text("ot"), () => Deferred.succeed(started, undefined)),
        Deferred.await(rest)
      )
      const first = yield* Effect.fork(tagOf(sendUpload(token, slow)))
      yield* Deferred.await(started)
      yield* sendUpload(token)
      yield* Deferred.succeed(rest, Buffer.from("her"))
      assert.strictEqual(yield* Fiber.join(first), "ConflictError")
      assert.strictEqual(yield* status, "ready")
      assert.strictEqual(Buffer.from(objects.get(storageKey) ?? []).toString(), "hello")
    })
  )

  it.effect("rejects an upload while another process stores one, and accepts it if that process is lost", () =>
    Effect.gen(function* () {
      const own = yield* makeOrganization()
      const { documentId, status, storageKey, token } = yield* createUpload(own)
      const repo = yield* KnowledgeBaseRepo
      const document = yield* Effect.flatten(repo.findDocument(own, documentId))
      const lost = yield* newHold
      assert.isTrue(yield* repo.hold(document, lost))
      yield* TestClock.adjust("59 seconds")
      assert.strictEqual(yield* tagOf(sendUpload(token)), "ConflictError")
      assert.isFalse(objects.has(storageKey))
      yield* TestClock.adjust("1 second")
      yield* sendUpload(token)
      assert.isFalse(yield* repo.settle(document, lost, "failed", []))
      assert.strictEqual(yield* status, "ready")
    })
  )

  it.effect("fails documents that are not uploaded in time, and removes their objects", () =>
    Effect.gen(function* () {
      const own = yield* makeOrganization()
      const { base, status, storageKey, token } = yield* createUpload(own)
      const remove = yield* removeObjects
      yield* TestClock.adjust("29 minutes")
      assert.strictEqual(yield* status, "pending_upload")
      yield* TestClock.adjust("1 minute")
      // Stored, but the process crashed before it updated the document.
      objects.set(storageKey, Buffer.from("hello"))
      assert.strictEqual(yield* status, "failed")
      assert.strictEqual(yield* tagOf(sendUpload(token)), "ResourceNotFoundError")
      assert.strictEqual((yield* Effect.flatMap(KnowledgeBases, ({ get }) => get(own, base.id))).documentCount, 0)
      yield* remove.round
      assert.isFalse(objects.has(storageKey))
      assert.deepStrictEqual(yield* pendingRemovals(own), [])
    })
  )

  it.effect("removes the documents with their base", () =>
    Effect.gen(function* () {
      const bases = yield* KnowledgeBases
      const own = yield* makeOrganization()
      const ready = yield* createUpload(own)
      yield* sendUpload(ready.token)
      const target = yield* bases.requestUpload(own, ready.base.id, hello)
      const token = target.uploadUrl.slice(`https://mail.test${uploadsPath}`.length)
      yield* bases.remove(own, ready.base.id)
      assert.strictEqual(yield* tagOf(bases.get(own, ready.base.id)), "ResourceNotFoundError")
      assert.strictEqual(yield* tagOf(bases.remove(own, ready.base.id)), "ResourceNotFoundError")
      assert.strictEqual(yield* tagOf(sendUpload(token)), "ResourceNotFoundError")
      assert.isFalse(objects.has(ready.storageKey))
      // An object that is still being uploaded is removed after the link has expired.
      objects.set(target.storageKey, Buffer.from("late!"))
      const { round } = yield* removeObjects
      yield* round
      assert.isTrue(objects.has(target.storageKey))
      yield* TestClock.adjust("30 minutes")
      yield* round
      assert.isFalse(objects.has(target.storageKey))
      assert.deepStrictEqual(yield* pendingRemovals(own), [])
    })
  )

  it.effect("removes an upload that ends after the base is removed", () =>
    Effect.gen(function* () {
      const bases = yield* KnowledgeBases
      const own = yield* makeOrganization()
      const { base, token } = yield* createUpload(own)
      const removing = Stream.execute(Effect.orDie(bases.remove(own, base.id)))
      assert.strictEqual(
        yield* tagOf(sendUpload(token, Stream.concat(text("hello"), removing))),
        "ResourceNotFoundError"
      )
      assert.isAbove((yield* pendingRemovals(own)).length, 0)
    })
  )

  it.effect("removes a base while the object store fails, and removes its objects later", () =>
    Effect.gen(function* () {
      const bases = yield* KnowledgeBases
      const own = yield* makeOrganization()
      const { base, storageKey, token } = yield* createUpload(own)
      yield* sendUpload(token)
      const store = yield* ObjectStore
      objects.set("fails", Buffer.from(""))
      yield* bases.remove(own, base.id)
      assert.isTrue(Option.isSome(yield* store.get(storageKey)))
      const { round } = yield* removeObjects
      yield* round
      assert.isTrue(objects.has(storageKey))
      objects.delete("fails")
      yield* TestClock.adjust("5 minutes")
      yield* round
      assert.isFalse(objects.has(storageKey))
      assert.deepStrictEqual(yield* pendingRemovals(own), [])
    })
  )
})
