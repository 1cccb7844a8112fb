import { assert, describe, it } from "@effect/vitest"
import { TestDatabaseUrl } from "@switchboard/store/testing/TestDatabase"
import { Effect } from "effect"
import { caller, send } from "../LiveService.js"
import { launch } from "../ServiceProcess.js"
import { withBucket } from "./WithBucket.js"

const file = { filename: "hello.txt", contentType: "text/plain", content: Buffer.from("hello").toString("base64") }
const recipients = [{ email: "ada@example.com" }]

describe("A failing object store", () => {
  it.scopedLive(
    "refuses with 502 what needs it, and nothing else",
    () =>
      Effect.gen(function* () {
        const { environment, override } = yield* withBucket
        const { baseUrl } = yield* launch("serve", environment)
        const call = caller(baseUrl)
        const { body: uploaded } = yield* call("POST", "/v1/attachments", file)
        const content = { subject: "Files", html: "<p>Files</p>", attachmentIds: [uploaded.id] }
        const { body: draft } = yield* call("POST", "/v1/drafts", { channel: "email", recipients, content })

        override.respond = (response) => response.writeHead(403).end()
        const sendDraft = call("POST", `/v1/drafts/${draft.id}/send`)
        for (const refused of [yield* sendDraft, yield* call("POST", "/v1/attachments", file)]) {
          assert.deepStrictEqual(
            [refused.status, refused.body],
            [
              502,
              {
                _tag: "ExternalServiceError",
                provider: "object store",
                message: "The object store failed; try again"
              }
            ]
          )
        }
        const inline = send({}, { attachments: [file] })
        assert.strictEqual((yield* call("POST", "/v1/messages", inline)).status, 201)

        override.respond = null
        assert.strictEqual((yield* sendDraft).status, 201)
      }).pipe(Effect.provide(TestDatabaseUrl.Live)),
    300_000
  )
})
