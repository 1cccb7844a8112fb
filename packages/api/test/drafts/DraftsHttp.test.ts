import { assert, layer } from "@effect/vitest"
import { attachmentExamples } from "@switchboard/api/attachments/AttachmentExamples"
import { draftExamples } from "@switchboard/api/drafts/DraftExamples"
import { Effect } from "effect"
import { call, LiveApi, message } from "../LiveApi.js"

const unknown = "01a1fc1d-e1a0-7029-814e-d493ca640e3f"
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
      const filters = encodeURIComponent('{"channel":"email","search":"Offer for"}')
      const listed = yield* call("GET", `/v1/drafts?filters=${filters}`)
      assert.deepStrictEqual(listed.body, {
        items: [first],
        pagination: { page: 1, limit: 20, total: 1, totalPages: 1 }
      })
      assert.strictEqual((yield* call("GET", `/v1/drafts?filters=${encodeURIComponent('{"title":"x"}')}`)).status, 400)
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
      for (const [method, path] of [
        ["GET", ""],
        ["PATCH", ""],
        ["DELETE", ""],
        ["POST", "/send"]
      ] as const) {
        const gone = yield* call(method, `/v1/drafts/${id}${path}`)
        assert.deepStrictEqual(
          [gone.status, gone.body],
          [404, { _tag: "ResourceNotFoundError", resource: "draft", id }]
        )
      }
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
          attachments: [{ filename: "offer.txt", contentType: "text/plain", content: "SGVsbG8gQWRhIQ==" }]
        }
      })
      assert.include(idempotencyKey, id)
      assert.isAbove(idempotencyKey.length, 255)
    })
  )

  it.effect("are validated like sends, with errors by the fields of the draft", () =>
    Effect.gen(function* () {
      const { sent } = yield* LiveApi
      const before = sent.length
      const cases: ReadonlyArray<readonly [object, Readonly<Record<string, ReadonlyArray<string>>>]> = [
        [
          {},
          {
            recipients: ["must name at least one recipient"],
            "content.subject": ["is required without a template"],
            "content.html": ["is required without a text or a template"]
          }
        ],
        [
          { recipients: [{ email: "ada" }, { name: "Ada" }], content: { subject: "a\nb", body: "b" } },
          {
            "recipients.0.email": ["must be an email address like ada@example.com"],
            "recipients.1.email": ["is required"],
            "content.subject": ["must not contain line breaks"]
          }
        ],
        [{ channel: "sms" }, { channel: ["The channel sms is staged: only email can be sent today"] }]
      ]
      for (const [given, fields] of cases) {
        const { id } = yield* created({ ...given })
        const response = yield* call("POST", `/v1/drafts/${id}/send`)
        assert.deepStrictEqual(
          [response.status, response.body],
          [422, { _tag: "ValidationError", message: "The request body is invalid", fields }]
        )
      }
      assert.lengthOf(sent, before)
      const { id } = yield* created()
      assert.strictEqual((yield* call("POST", `/v1/drafts/${id}/send`, { body: { to: [] } })).status, 422)
    })
  )

  it.effect("report all errors", () =>
    Effect.gen(function* () {
      const none = yield* call("POST", "/v1/drafts", { body: {} })
      assert.deepStrictEqual(none.body.fields, {
        channel: ["is required"],
        recipients: ["is required"],
        content: ["is required"]
      })
      const wrong = yield* call("POST", "/v1/drafts", {
        body: {
          channel: "fax",
          recipients: [{ participantId: "ada", to: 1 }],
          content: { variables: { a: 1 }, attachmentIds: [unknown, unknown, "x"], more: 1 },
          title: "x".repeat(501)
        }
      })
      assert.deepStrictEqual(
        [wrong.status, wrong.body.fields],
        [
          422,
          {
            channel: ["must be one of sms, whatsapp, email, voice"],
            "recipients.0.participantId": ["must be a uuid"],
            "recipients.0.to": ["is not a known field"],
            "content.variables.a": ["must be text"],
            "content.attachmentIds.1": ["must not be named twice"],
            "content.attachmentIds.2": ["must be a uuid"],
            "content.more": ["is not a known field"],
            title: ["must have at most 500 characters"]
          }
        ]
      )
      for (const [resource, given] of [
        ["attachment", { content: { attachmentIds: [unknown] } }],
        ["template", { content: { templateId: unknown } }],
        ["participant", { recipients: [{ participantId: unknown }] }]
      ] as const) {
        const body = { channel: "email", recipients: [], content: {}, ...given }
        const response = yield* call("POST", "/v1/drafts", { body })
        assert.deepStrictEqual([response.status, response.body.resource, response.body.id], [404, resource, unknown])
      }
    })
  )

  it.effect("are sent with attachments", () =>
    Effect.gen(function* () {
      const wrong = yield* call("POST", "/v1/attachments", {
        body: { filename: "../x", contentType: "pdf", content: "a", contentId: "x" }
      })
      assert.deepStrictEqual(
        [wrong.status, wrong.body.fields],
        [
          422,
          {
            filename: ["must be a name without a path or control characters"],
            contentType: ["must be a media type like application/pdf"],
            content: ["must be base64"],
            contentId: ["is not a known field"]
          }
        ]
      )
      const content = "A".repeat(4 * Math.ceil((25 * 1024 * 1024 + 1) / 3))
      const large = yield* call("POST", "/v1/attachments", {
        body: { filename: "x", contentType: "text/plain", content }
      })
      assert.deepStrictEqual([large.status, large.body.fields], [422, { content: ["must be at most 25 MiB"] }])
    })
  )
})
