import { assert, describe, it } from "@effect/vitest"
import { objectKey } from "@switchboard/domain/objects/ObjectKey"
import { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { ObjectLinks, objectsPath } from "@switchboard/services/objects/ObjectLinks"
import { ObjectStore } from "@switchboard/services/objects/ObjectStore"
import { PublicUrl } from "@switchboard/services/PublicUrl"
import { MasterKey, Signatures } from "@switchboard/services/SecretBox"
import { Chunk, Effect, Layer, Redacted, Stream, TestClock } from "effect"
import { objectsInMemory } from "./ObjectsInMemory.js"

const organization = OrganizationId.make("0192f0c1-2345-7abc-8def-0123456789ab")
const key = objectKey(organization, "tests", "0192f0c1-2345-7abc-8def-0123456789ff")

const Links = ObjectLinks.Default.pipe(
  Layer.provideMerge(objectsInMemory()),
  Layer.provide(Layer.succeed(PublicUrl, "https://mail.test")),
  Layer.provide(Signatures.Live),
  Layer.provide(Layer.succeed(MasterKey, Redacted.make(Buffer.alloc(32, 7))))
)

const tokenOf = (url: string) => url.slice(`https://mail.test${objectsPath}`.length)

describe("A link to an object", () => {
  it.effect("downloads it under its file name for 15 minutes", () =>
    Effect.gen(function* () {
      const links = yield* ObjectLinks
      yield* Effect.flatMap(ObjectStore, (store) => store.put(key, Buffer.from("hello"), "text/plain"))
      const url = yield* links.downloadUrl(key, { filename: "Grüße/é.pdf" })
      assert.isTrue(url.startsWith(`https://mail.test${objectsPath}`), url)
      assert.match(tokenOf(url), /^[\w.-]+$/)
      const opened = yield* links.open(tokenOf(url))
      assert.strictEqual(opened.filename, "Grüße/é.pdf")
      assert.strictEqual(opened.contentLength, 5)
      const bytes = Buffer.concat(Chunk.toReadonlyArray(yield* Stream.runCollect(opened.bytes)))
      assert.strictEqual(bytes.toString(), "hello")
      yield* TestClock.adjust("899 seconds")
      yield* links.open(tokenOf(url))
      yield* TestClock.adjust("1 second")
      assert.strictEqual((yield* Effect.flip(links.open(tokenOf(url))))._tag, "ResourceNotFoundError")
    }).pipe(Effect.provide(Links))
  )

  it.effect("is rejected if it is forged or its object is removed", () =>
    Effect.gen(function* () {
      const links = yield* ObjectLinks
      const store = yield* ObjectStore
      yield* store.put(key, Buffer.from("hello"), "text/plain")
      const token = tokenOf(yield* links.downloadUrl(key, { filename: "a.pdf" }))
      const [subject = "", signature = ""] = token.split(".")
      const other = Buffer.from(subject, "base64url").toString().replace("ff", "fe")
      for (const wrong of [
        "",
        ".",
        subject,
        `${token}.x`,
        token.slice(0, -1),
        `${Buffer.from(other).toString("base64url")}.${signature}`
      ]) {
        assert.deepInclude(yield* Effect.flip(links.open(wrong)), { _tag: "ResourceNotFoundError", id: wrong })
      }
      yield* store.remove([key])
      assert.strictEqual((yield* Effect.flip(links.open(token)))._tag, "ResourceNotFoundError")
    }).pipe(Effect.provide(Links))
  )
})
