import { assert, layer } from "@effect/vitest"
import { attachmentExamples, draftExamples } from "@switchboard/api/openapi/examples/MessageExamples"
import { FileContent } from "@switchboard/domain/messages/Attachment"
import { Array, Effect } from "effect"
import { call, LiveApi, message } from "../LiveApi.js"

const [contact] = message.toParticipantIds

const created = (body: Readonly<Record<string, unknown>> = {}) =>
  Effect.map(
    call("POST", "/v1/drafts", { body: { channel: "email", recipients: [], content: {}, ...body } }),
    (response) => {
      assert.strictEqual(response.status, 201, response.text)
      return response.body
    }
  )

const uploaded = Effect.map(
  call("POST", "/v1/attachments", { body: attachmentExamples["attachments.upload"].request }),
  ({ body, status }) => {
    assert.strictEqual(status, 201)
    return body
  }
)

layer(LiveApi.layer, { excludeTestServices: true })("Drafts", (it) => {
  it.effect("have at most as many recipients as a message", () =>
    Effect.gen(function* () {
      const recipients = Array.makeBy(51, (n) => ({ email: `${n}@example.com` }))
      const { id } = yield* created({ recipients: recipients.slice(1) })
      for (const response of [
        yield* call("POST", "/v1/drafts", { body: { channel: "email", recipients, content: {} } }),
        yield* call("PATCH", `/v1/drafts/${id}`, { body: { recipients } })
      ]) {
        assert.deepStrictEqual(response.body.fields, { recipients: ["must have at most 50 items"] })
      }
    })
  )

  it.effect("match the examples of the document", () =>
    Effect.gen(function* () {
      const { "drafts.create": create, "drafts.update": update } = draftExamples
      const first = yield* created(create.request)
      const { createdAt, createdBy, id, lastEditedAt, organizationId, ...said } = first
      assert.deepStrictEqual(said, create.request)
      assert.deepStrictEqual(
        [createdAt, createdBy.length, organizationId],
        [lastEditedAt, create.response.createdBy.length, create.response.organizationId]
      )
      assert.deepStrictEqual((yield* call("GET", `/v1/drafts/${id}`)).body, first)
      const changed = yield* call("PATCH", `/v1/drafts/${id}`, { body: update.request })
      const { lastEditedAt: _, ...rest } = changed.body
      const { channel, recipients } = create.request
      assert.deepStrictEqual(rest, {
        id,
        organizationId,
        channel,
        recipients,
        content: update.request.content,
        createdAt,
        createdBy
      })
      assert.deepStrictEqual((yield* call("DELETE", `/v1/drafts/${id}`)).body, { success: true })
    })
  )

  it.effect("are sent from the default sender, under an idempotency key that callers cannot use", () =>
    Effect.gen(function* () {
      const { sent } = yield* LiveApi
      const file = yield* uploaded
      const { createdAt, id: fileId, ...said } = file
      const { response } = attachmentExamples["attachments.upload"]
      const { createdAt: _, id: __, ...example } = response
      assert.deepStrictEqual(said, example)
      assert.deepStrictEqual([createdAt.length, fileId.length], [24, 36])
      const recipients = [{ email: "ada@example.com", name: "Ada" }, { participantId: contact }]
      const content = { subject: "Hi", body: "Dear <Ada>", ast: { type: "doc" }, attachmentIds: [file.id] }
      const { id } = yield* created({ recipients, content })
      const reply = yield* call("POST", `/v1/drafts/${id}/send`)
      assert.deepStrictEqual([reply.status, reply.body.id], [201, message.id])
      const { idempotencyKey = "", ...request } = sent.at(-1) ?? { idempotencyKey: "" }
      assert.deepStrictEqual(request, {
        channel: "email",
        to: [{ email: "ada@example.com", name: "Ada" }, { contactId: contact }],
        email: {
          subject: "Hi",
          html: "<p>Dear &lt;Ada&gt;</p>",
          text: "Dear <Ada>",
          attachments: [
            { filename: "offer.txt", contentType: "text/plain", content: new FileContent(Buffer.from("Hello Ada!")) }
          ]
        }
      })
      assert.include(idempotencyKey, id)
      assert.isAbove(idempotencyKey.length, 255)
    })
  )
})
