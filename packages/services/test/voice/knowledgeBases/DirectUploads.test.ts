import { assert, layer } from "@effect/vitest"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import type { UploadsToStore } from "@switchboard/services/objects/DirectUploads"
import type { ObjectHead } from "@switchboard/services/objects/ObjectStore"
import { objectStoreFailed } from "@switchboard/services/objects/ObjectStoreFailed"
import { removeObjects } from "@switchboard/services/objects/RemoveObjects"
import { KnowledgeBases } from "@switchboard/services/voice/knowledgeBases/KnowledgeBases"
import { makeOrganization } from "@switchboard/store/testing/messages/Fixtures"
import { Deferred, Duration, Effect, Fiber, Option, TestClock } from "effect"
import { knowledgeBasesLive } from "./KnowledgeBasesLive.js"

const objects = new Map<string, Uint8Array>()
const types = new Map<string, string>()
let isFailing = false
let copying = Effect.void

/** An object store with presigned uploads. */
const directUploads: UploadsToStore = {
  presign: (key, { contentLength, contentType }, lasts) =>
    Effect.succeed(`https://s3.test/${key}?${contentLength}&${contentType}&${Duration.toSeconds(lasts)}`),
  head: (key) =>
    Effect.suspend(() => {
      const bytes = objects.get(key)
      if (isFailing) return objectStoreFailed
      return Effect.succeed(
        bytes === undefined
          ? Option.none<ObjectHead>()
          : Option.some({ contentLength: bytes.byteLength, contentType: types.get(key) ?? "text/plain" })
      )
    }),
  copy: (from, to) =>
    Effect.suspend(() => copying).pipe(
      Effect.zipRight(Effect.sync(() => void objects.set(to, objects.get(from) ?? Buffer.from(""))))
    )
}

const hello = { filename: "hello.txt", contentType: "text/plain", contentLength: 5 }

const createUpload = Effect.fnUntraced(function* (own: OrganizationId) {
  const bases = yield* KnowledgeBases
  const base = yield* bases.create(own, { name: "Shop" })
  const target = yield* bases.requestUpload(own, base.id, hello)
  const [, key = ""] = /^https:\/\/s3\.test\/(.*)\?5&text\/plain&900$/.exec(target.uploadUrl) ?? []
  const status = Effect.map(
    bases.documents(own, base.id, { page: 1, limit: 20 }),
    ({ items: [document] }) => document?.status
  )
  const count = Effect.map(bases.get(own, base.id), ({ documentCount }) => documentCount)
  return { ...target, base, count, key, status }
})

layer(knowledgeBasesLive(objects, Option.some(directUploads)))(
  "A document uploaded directly to the object store",
  (it) => {
    it.effect("becomes ready with the next read, and does not change afterwards", () =>
      Effect.gen(function* () {
        const { count, key, status, storageKey } = yield* createUpload(yield* makeOrganization())
        assert.notStrictEqual(key, storageKey)
        assert.strictEqual(yield* status, "pending_upload")
        objects.set(key, Buffer.from("hello"))
        assert.strictEqual(yield* count, 1)
        assert.strictEqual(yield* status, "ready")
        // A later upload with the same link changes nothing and is removed.
        objects.set(key, Buffer.from("other"))
        assert.strictEqual(yield* status, "ready")
        assert.strictEqual(yield* count, 1)
        assert.strictEqual(Buffer.from(objects.get(storageKey) ?? []).toString(), "hello")
        yield* TestClock.adjust("30 minutes")
        yield* Effect.flatMap(removeObjects, ({ round }) => round)
        assert.isFalse(objects.has(key))
        assert.isTrue(objects.has(storageKey))
      })
    )

    it.effect("is found when the knowledge bases are listed", () =>
      Effect.gen(function* () {
        const own = yield* makeOrganization()
        const { base, key } = yield* createUpload(own)
        const list = Effect.flatMap(KnowledgeBases, (bases) => bases.list(own, {}, { page: 1, limit: 20 }))
        assert.deepInclude((yield* list).items[0], { id: base.id, documentCount: 0 })
        objects.set(key, Buffer.from("hello"))
        assert.deepInclude((yield* list).items[0], { id: base.id, documentCount: 1 })
      })
    )

    it.effect("is stored by a check that takes longer than the read", () =>
      Effect.gen(function* () {
        const { count, key, storageKey } = yield* createUpload(yield* makeOrganization())
        objects.set(key, Buffer.from("hello"))
        const copied = yield* Deferred.make<void>()
        copying = Deferred.await(copied)
        const read = yield* Effect.fork(count)
        yield* TestClock.adjust("2 seconds")
        assert.strictEqual(yield* Fiber.join(read), 0)
        // Another check does not interfere.
        assert.strictEqual(yield* count, 0)
        yield* Deferred.succeed(copied, undefined)
        yield* Effect.repeat(count, { until: (ready) => ready === 1 })
        assert.isTrue(objects.has(storageKey))
      }).pipe(
        Effect.ensuring(
          Effect.sync(() => {
            copying = Effect.void
          })
        )
      )
    )

    it.effect("fails if its size or type differs from the request", () =>
      Effect.gen(function* () {
        const own = yield* makeOrganization()
        for (const wrong of [{ text: "hello!" }, { text: "hello", type: "text/html" }]) {
          const { count, key, status } = yield* createUpload(own)
          objects.set(key, Buffer.from(wrong.text))
          types.set(key, wrong.type ?? "text/plain")
          assert.strictEqual(yield* status, "failed")
          assert.strictEqual(yield* count, 0)
          yield* TestClock.adjust("30 minutes")
          yield* Effect.flatMap(removeObjects, ({ round }) => round)
          assert.isFalse(objects.has(key))
        }
      })
    )

    it.effect("fails if it was not uploaded in time, and stays pending while the object store fails", () =>
      Effect.gen(function* () {
        const { status } = yield* createUpload(yield* makeOrganization())
        isFailing = true
        yield* TestClock.adjust("30 minutes")
        assert.strictEqual(yield* status, "pending_upload")
        isFailing = false
        assert.strictEqual(yield* status, "failed")
      })
    )
  }
)
