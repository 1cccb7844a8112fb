import { randomUUID } from "node:crypto"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { LiveService, until } from "../LiveService.js"

const textOf = (content: string | ArrayBuffer | Uint8Array) =>
  typeof content === "string" ? content : new TextDecoder().decode(content)

layer(LiveService.layer(), { timeout: "300 seconds", excludeTestServices: true })("A draft", (it) => {
  it.effect("is sent once with its content and file under concurrent sends", () =>
    Effect.gen(function* () {
      const { call, mails } = yield* LiveService
      const subject = `Offer ${randomUUID()}`
      const content = Buffer.from("Our offer").toString("base64")
      const file = yield* call("POST", "/v1/attachments", { filename: "offer.txt", contentType: "text/plain", content })
      assert.strictEqual(file.status, 201, JSON.stringify(file.body))
      const made = yield* call("POST", "/v1/drafts", {
        channel: "email",
        recipients: [{ email: "ada@example.com" }],
        content: { body: "Dear <Ada>,\n\nhere it is.", attachmentIds: [file.body.id] }
      })
      const path = `/v1/drafts/${made.body.id}`
      const early = yield* call("POST", `${path}/send`)
      assert.deepStrictEqual(
        [early.status, early.body.fields],
        [422, { "content.subject": ["is required without a template"] }]
      )
      assert.deepStrictEqual((yield* call("GET", path)).body, made.body)
      yield* call("PATCH", path, { content: { ...made.body.content, subject } })
      const sends = yield* Effect.all(
        Array.from({ length: 8 }, () => call("POST", `${path}/send`)),
        { concurrency: "unbounded" }
      )
      const statuses = sends.map(({ status }) => status).sort()
      assert.deepStrictEqual(statuses, [201, 409, 409, 409, 409, 409, 409, 409])
      const sent = sends.find(({ status }) => status === 201)?.body
      yield* until(call("GET", `/v1/messages/${sent.id}`), ({ body }) => body.status === "delivered")
      const arrived = mails.filter(({ parsed }) => parsed.subject === subject)
      assert.lengthOf(arrived, 1)
      assert.deepInclude(arrived[0]?.parsed, { html: "<p>Dear &lt;Ada&gt;,</p><p>here it is.</p>\n" })
      assert.deepStrictEqual(
        arrived[0]?.parsed.attachments.map((one) => [one.filename, textOf(one.content)]),
        [["offer.txt", "Our offer"]]
      )
      const { body: closed } = yield* call("GET", path)
      assert.strictEqual(closed.sentMessageId, sent.id)
      assert.strictEqual((yield* call("PATCH", path, { title: "x" })).status, 409)
      assert.deepInclude((yield* call("POST", `${path}/send`)).body, { _tag: "ConflictError", resource: "draft" })
      assert.deepStrictEqual((yield* call("DELETE", path)).body, { success: true })
      assert.strictEqual((yield* call("GET", `/v1/messages/${sent.id}`)).status, 200)
    })
  )
})
