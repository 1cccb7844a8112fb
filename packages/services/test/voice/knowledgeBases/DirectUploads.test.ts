import { assert, layer } from "@effect/vitest"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import type { UploadsToStore } from "@switchboard/services/objects/DirectUploads"
import type { ObjectHead } from "@switchboard/services/objects/ObjectStore"
import { objectStoreFailed } from "@switchboard/services/objects/ObjectStoreFailed"
import { removeObjects } from "@switchboard/services/objects/RemoveObjects"
import { KnowledgeBases } from "@switchboard/services/voice/knowledgeBases/KnowledgeBases"
import { settleUploads } from "@switchboard/services/voice/knowledgeBases/SettleUploads"
import { makeOrganization } from "@switchboard/store/testing/messages/Fixtures"
import { Duration, Effect, Option, TestClock } from "effect"
import { knowledgeOn } from "./KnowledgeOn.js"

const objects = new Map<string, Uint8Array>()
const types = new Map<string, string>()
let fails = false

/** A store that takes uploads itself. */
const direct: UploadsToStore = {
  presign: (key, { contentLength, contentType }, lasts) =>
    Effect.succeed(`https://s3.test/${key}?${contentLength}&${contentType}&${Duration.toSeconds(lasts)}`),
  head: (key) =>
    Effect.suspend(() => {
      const bytes = objects.get(key)
      if (fails) return objectStoreFailed
      return Effect.succeed(
        bytes === undefined
          ? Option.none<ObjectHead>()
          : Option.some({ contentLength: bytes.byteLength, contentType: types.get(key) ?? "text/plain" })
      )
    }),
  copy: (from, to) => Effect.sync(() => void objects.set(to, objects.get(from) ?? Buffer.from("")))
}

const hello = { filename: "hello.txt", contentType: "text/plain", contentLength: 5 }

const asked = Effect.fnUntraced(function* (own: OrganizationId) {
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

const settle = Effect.flatMap(settleUploads, ({ round }) => round)

layer(knowledgeOn(objects, Option.some(direct)), { timeout: "300 seconds" })("A document put past us", (it) => {
  it.effect("is ready as soon as somebody looks, and stays as it came", () =>
    Effect.gen(function* () {
      const { count, key, status, storageKey } = yield* asked(yield* makeOrganization())
      assert.notStrictEqual(key, storageKey)
      assert.strictEqual(yield* status, "pending_upload")
      objects.set(key, Buffer.from("hello"))
      assert.strictEqual(yield* count, 1)
      assert.strictEqual(yield* status, "ready")
      // The link is good for a while yet: what comes by it changes nothing, and does not stay.
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

  it.effect("is found also if nobody looks", () =>
    Effect.gen(function* () {
      const own = yield* makeOrganization()
      const { base, key } = yield* asked(own)
      const list = Effect.flatMap(KnowledgeBases, (bases) => bases.list(own, {}, { page: 1, limit: 20 }))
      yield* TestClock.adjust("30 seconds")
      yield* settle
      objects.set(key, Buffer.from("hello"))
      yield* settle
      assert.strictEqual((yield* list).items[0]?.documentCount, 0)
      yield* TestClock.adjust("30 seconds")
      yield* settle
      assert.deepInclude((yield* list).items[0], { id: base.id, documentCount: 1 })
    })
  )

  it.effect("has failed if it is not what was asked for, whatever the store has let through", () =>
    Effect.gen(function* () {
      const own = yield* makeOrganization()
      for (const wrong of [{ text: "hello!" }, { text: "hello", type: "text/html" }]) {
        const { count, key, status } = yield* asked(own)
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

  it.effect("has failed if it never came, and waits while the store does not answer", () =>
    Effect.gen(function* () {
      const { status } = yield* asked(yield* makeOrganization())
      fails = true
      yield* TestClock.adjust("30 minutes")
      assert.strictEqual(yield* status, "pending_upload")
      fails = false
      assert.strictEqual(yield* status, "failed")
    })
  )
})
