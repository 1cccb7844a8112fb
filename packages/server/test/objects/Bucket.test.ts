import { randomUUID } from "node:crypto"
import { assert, layer } from "@effect/vitest"
import { ObjectsS3 } from "@switchboard/channels/objects/ObjectsS3"
import { S3Bucket } from "@switchboard/channels/objects/S3Requests"
import { ObjectKey } from "@switchboard/domain/objects/ObjectKey"
import { ObjectStore } from "@switchboard/services/objects/ObjectStore"
import { Context, Effect, Layer, Option } from "effect"
import { LiveService, send } from "../LiveService.js"
import { failingCommand, runCommand } from "../TestCommand.js"
import { put, requestUpload } from "../voice/knowledgeBases/Upload.js"
import { Bucket } from "./WithBucket.js"

const file = { filename: "hello.txt", contentType: "text/plain", content: Buffer.from("hello").toString("base64") }
const recipients = [{ email: "ada@example.com" }]

layer(Bucket.Live, { excludeTestServices: true })("An S3 bucket", (it) => {
  it.scoped("receives documents directly, for every process of the installation", () =>
    Effect.gen(function* () {
      const { bucket } = yield* Bucket
      const store = Context.get(yield* Effect.provideService(Layer.build(ObjectsS3), S3Bucket, bucket), ObjectStore)
      const hello = Buffer.from("hello")
      const { count, remove, status, storageKey, uploadUrl } = yield* requestUpload(5)
      assert.isTrue(uploadUrl.startsWith(`${bucket.endpoint}/objects/`), uploadUrl)
      assert.strictEqual(yield* put(uploadUrl, Buffer.from("hello!")), 403)
      assert.strictEqual(yield* put(uploadUrl, hello, "text/html"), 403)
      assert.deepStrictEqual([yield* status, yield* count], ["pending_upload", 0])
      assert.strictEqual(yield* put(uploadUrl, hello), 200)
      assert.deepStrictEqual([yield* status, yield* count], ["ready", 1])
      // The upload link still works, but has no effect.
      assert.strictEqual(yield* put(uploadUrl, Buffer.from("other")), 200)
      const kept = store.get(ObjectKey.make(storageKey))
      assert.strictEqual(Buffer.from(yield* Effect.flatten(kept)).toString(), "hello")
      assert.strictEqual(yield* remove, 200)
      assert.isTrue(Option.isNone(yield* kept))
    })
  )

  it.effect("is checked by the doctor", () =>
    Effect.gen(function* () {
      const { environment } = yield* LiveService
      const { S3_BUCKET: _, ...half } = environment
      const [{ stdout }, wrong, missing] = yield* Effect.all([
        runCommand(["doctor"], environment),
        failingCommand(["doctor"], { ...environment, S3_SECRET_ACCESS_KEY: "other" }),
        failingCommand(["doctor"], half)
      ])
      assert.include(stdout, "ok       S3 bucket\n")
      assert.include(wrong, 'run "switchboard doctor" again')
      assert.strictEqual(missing, "switchboard: S3_BUCKET: must be set if another S3_ setting is set\n")
    })
  )

  it.effect("that fails refuses with 502 what needs it, and nothing else", () =>
    Effect.gen(function* () {
      const { call } = yield* LiveService
      const { override } = yield* Bucket
      const { body: uploaded } = yield* call("POST", "/v1/attachments", file)
      assert.deepStrictEqual((yield* call("GET", `/v1/attachments/${uploaded.id}`)).body, uploaded)
      assert.strictEqual((yield* call("GET", `/v1/attachments/${randomUUID()}`)).status, 404)
      const content = { subject: "Files", html: "<p>Files</p>", attachmentIds: [uploaded.id] }
      const { body: draft } = yield* call("POST", "/v1/drafts", { channel: "email", recipients, content })

      override.respond = (response) => response.writeHead(403).end()
      const sendDraft = call("POST", `/v1/drafts/${draft.id}/send`)
      for (const refused of [yield* sendDraft, yield* call("POST", "/v1/attachments", file)]) {
        assert.strictEqual(refused.status, 502)
        assert.deepStrictEqual(refused.body, {
          _tag: "ExternalServiceError",
          provider: "object store",
          message: "The object store failed; try again"
        })
      }
      const inline = send({}, { attachments: [file] })
      assert.strictEqual((yield* call("POST", "/v1/messages", inline)).status, 201)

      override.respond = null
      assert.strictEqual((yield* sendDraft).status, 201)
    })
  )
})
