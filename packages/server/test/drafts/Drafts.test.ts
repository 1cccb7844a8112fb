import { randomUUID } from "node:crypto"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { callerOnce, LiveService, until } from "../LiveService.js"

const textOf = (content: string | ArrayBuffer | Uint8Array) =>
  typeof content === "string" ? content : new TextDecoder().decode(content)

layer(LiveService.Shared, { excludeTestServices: true })("A draft", (it) => {
  it.effect("is sent once with its content and file under concurrent sends", () =>
    Effect.gen(function* () {
      const { baseUrl, call, key, mails } = yield* LiveService
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
      // Without retry after 503: the retry of a send that was accepted, and whose 201 was lost, is a 409.
      const sendOnce = callerOnce(baseUrl, key)
      const sends = yield* Effect.all(
        Array.from({ length: 8 }, () => sendOnce("POST", `${path}/send`)),
        { concurrency: "unbounded" }
      )
      const { body: closed } = yield* until(call("GET", path), ({ body }) => body.sentMessageId !== undefined)
      const accepted = sends.filter(({ status }) => status === 201)
      assert.isAtMost(accepted.length, 1)
      for (const { body } of accepted) assert.strictEqual(body.id, closed.sentMessageId)
      for (const { status } of sends) assert.include([201, 409, 503], status)
      const sent = { id: closed.sentMessageId }
      yield* until(call("GET", `/v1/messages/${sent.id}`), ({ body }) => body.status === "delivered")
      const arrived = mails.filter(({ parsed }) => parsed.subject === subject)
      assert.lengthOf(arrived, 1)
      assert.deepInclude(arrived[0]?.parsed, { html: "<p>Dear &lt;Ada&gt;,</p><p>here it is.</p>\n" })
      assert.deepStrictEqual(
        arrived[0]?.parsed.attachments.map((one) => [one.filename, textOf(one.content)]),
        [["offer.txt", "Our offer"]]
      )
      assert.strictEqual((yield* call("PATCH", path, { title: "x" })).status, 409)
      // A caller whose 201 was lost finds the message by its id in the 409, or in the draft.
      const { body: refused } = yield* call("POST", `${path}/send`)
      assert.deepInclude(refused, { _tag: "ConflictError", resource: "draft" })
      assert.include(refused.message, sent.id)
      assert.deepStrictEqual((yield* call("DELETE", path)).body, { success: true })
      assert.strictEqual((yield* call("GET", `/v1/messages/${sent.id}`)).status, 200)
    })
  )
})
