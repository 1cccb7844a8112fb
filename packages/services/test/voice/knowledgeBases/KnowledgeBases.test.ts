import { SqlClient } from "@effect/sql"
import { assert, layer } from "@effect/vitest"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { ObjectStore } from "@switchboard/services/objects/ObjectStore"
import { removeObjects } from "@switchboard/services/objects/RemoveObjects"
import { uploadsPath } from "@switchboard/services/objects/UploadLinks"
import { DocumentUploadRepo } from "@switchboard/services/voice/knowledgeBases/DocumentUploadRepo"
import { KnowledgeBases } from "@switchboard/services/voice/knowledgeBases/KnowledgeBases"
import { checkUploads } from "@switchboard/services/voice/knowledgeBases/UploadChecks"
import { newHold, Uploads } from "@switchboard/services/voice/knowledgeBases/Uploads"
import { makeOrganization } from "@switchboard/store/testing/messages/Fixtures"
import { Data, Deferred, Effect, Fiber, Layer, Option, Stream, TestClock } from "effect"
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

const heldUntil = (documentId: string) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    Effect.map(
      sql<{ seconds: number }>`SELECT extract(epoch FROM held_until)::int AS seconds
        FROM voice_knowledge_documents WHERE id = ${documentId}`,
      ([row]) => row?.seconds ?? 0
    )
  )

/** Advances the clock minute by minute while an upload renews its lease. */
const advanceMinutes = (documentId: string, minutes: number) =>
  Effect.forEach(
    Array.from({ length: minutes * 2 }),
    () =>
      Effect.gen(function* () {
        const before = yield* heldUntil(documentId)
        yield* TestClock.adjust("30 seconds")
        yield* Effect.repeat(heldUntil(documentId), { until: (now) => now > before })
      }),
    { discard: true }
  )

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

  it.effect("rejects a second upload while a slow first one is running", () =>
    Effect.gen(function* () {
      const own = yield* makeOrganization()
      const { documentId, status, storageKey, token } = yield* createUpload(own)
      const started = yield* Deferred.make<void>()
      const rest = yield* Deferred.make<Buffer>()
      const slow = Stream.concat(
        Stream.tap(text("he"), () => Deferred.succeed(started, undefined)),
        Deferred.await(rest)
      )
      const first = yield* Effect.fork(sendUpload(token, slow))
      yield* Deferred.await(started)
      assert.strictEqual(yield* tagOf(sendUpload(token)), "ConflictError")
      for (const minutes of [5, 9]) {
        yield* advanceMinutes(documentId, minutes)
        assert.strictEqual(yield* tagOf(sendUpload(token)), "ConflictError")
      }
      yield* Deferred.succeed(rest, Buffer.from("llo"))
      yield* Fiber.join(first)
      assert.strictEqual(yield* status, "ready")
      assert.strictEqual(Buffer.from(objects.get(storageKey) ?? []).toString(), "hello")
    })
  )

  it.effect("releases the lease of an interrupted upload", () =>
    Effect.gen(function* () {
      const own = yield* makeOrganization()
      const { status, token } = yield* createUpload(own)
      const repo = yield* DocumentUploadRepo
      const held = yield* Deferred.make<void>()
      const slowRepo: typeof repo = {
        ...repo,
        hold: (upload, hold) =>
          Effect.tap(repo.hold(upload, hold), () =>
            Effect.zipRight(Deferred.succeed(held, undefined), Effect.sleep("1 second"))
          )
      }
      const uploads = Layer.fresh(Uploads.Default).pipe(Layer.provide(Layer.succeed(DocumentUploadRepo, slowRepo)))
      const first = yield* Effect.fork(Effect.provide(sendUpload(token), uploads))
      yield* Deferred.await(held)
      const interrupted = yield* Effect.fork(Fiber.interrupt(first))
      yield* TestClock.adjust("1 second")
      yield* Fiber.join(interrupted)
      yield* sendUpload(token)
      assert.strictEqual(yield* status, "ready")
    })
  )

  it.effect("lets another upload take an expired lease and ends the earlier upload", () =>
    Effect.gen(function* () {
      const own = yield* makeOrganization()
      const { documentId, status, storageKey, token } = yield* createUpload(own)
      const repo = yield* DocumentUploadRepo
      const upload = yield* Effect.flatten(repo.find(own, documentId))
      assert.isTrue(yield* repo.hold(upload, yield* newHold))
      yield* TestClock.adjust("119 seconds")
      assert.strictEqual(yield* tagOf(sendUpload(token)), "ConflictError")
      yield* TestClock.adjust("1 second")
      const started = yield* Deferred.make<void>()
      const slow = Stream.concat(
        Stream.tap(text("he"), () => Deferred.succeed(started, undefined)),
        Stream.never
      )
      const expired = yield* Effect.fork(tagOf(sendUpload(token, slow)))
      yield* Deferred.await(started)
      // Simulates a process that was suspended until its lease expired.
      yield* Effect.flatMap(
        SqlClient.SqlClient,
        (sql) => sql`UPDATE voice_knowledge_documents SET held_until = NULL WHERE id = ${documentId}`
      )
      yield* sendUpload(token)
      assert.strictEqual(yield* status, "ready")
      yield* TestClock.adjust("30 seconds")
      assert.strictEqual(yield* Fiber.join(expired), "ResourceNotFoundError")
      assert.strictEqual(Buffer.from(objects.get(storageKey) ?? []).toString(), "hello")
    })
  )

  it.effect("fails documents that are not uploaded in time, and removes their objects", () =>
    Effect.gen(function* () {
      const own = yield* makeOrganization()
      const { base, status, storageKey, token } = yield* createUpload(own)
      const [settle, remove] = [yield* checkUploads, yield* removeObjects]
      yield* TestClock.adjust("29 minutes")
      yield* settle.round
      assert.strictEqual(yield* status, "pending_upload")
      yield* TestClock.adjust("1 minute")
      // Stored, but the process crashed before it updated the document.
      objects.set(storageKey, Buffer.from("hello"))
      yield* settle.round
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
