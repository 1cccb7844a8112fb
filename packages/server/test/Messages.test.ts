import { randomUUID } from "node:crypto"
import { request } from "node:http"
import { SqlClient } from "@effect/sql"
import { assert, layer } from "@effect/vitest"
import { TestDatabase } from "@switchboard/store/testing/TestDatabase"
import { Array, Effect, Layer } from "effect"
import { caller, LiveService, send, until } from "./LiveService.js"

const statusOf = (id: string) =>
  Effect.flatMap(LiveService, ({ call }) => Effect.map(call("GET", `/v1/messages/${id}`), ({ body }) => body))

const settled = (id: string, status: string) => until(statusOf(id), (message) => message.status === status)

const history = (message: { readonly statusHistory: ReadonlyArray<{ readonly status: string }> }) =>
  message.statusHistory.map(({ status }) => status).join(" ")

layer(TestDatabase.pipe(Layer.provideMerge(LiveService.Shared)), { excludeTestServices: true })("A message", (it) => {
  it.effect("goes from pending to delivered, and arrives with its content", () =>
    Effect.gen(function* () {
      const { call, key, mails, sender } = yield* LiveService
      const { body, status } = yield* call(
        "POST",
        "/v1/messages",
        send(
          { cc: [{ email: "bob@example.com" }], bcc: [{ email: "eve@example.com" }], tags: ["a"], externalId: "x-1" },
          { replyTo: ["back@example.com"], from: `The Shop <${sender}>`, headers: { "X-Order": "1815" } }
        )
      )
      assert.strictEqual(status, 201)
      assert.strictEqual(body.status, "pending")
      const message = yield* settled(body.id, "delivered")
      assert.strictEqual(history(message), "pending processing sent delivered")
      const mail = mails.find(({ parsed }) => parsed.messageId === message.emailMetadata.messageId)
      assert.deepStrictEqual([...(mail?.rcptTo ?? [])].sort(), [
        "ada@example.com",
        "bob@example.com",
        "eve@example.com"
      ])
      assert.notInclude(mail?.raw, "eve@example.com")
      assert.strictEqual(mail?.parsed.from?.name, "The Shop")
      assert.strictEqual(mail?.parsed.replyTo?.[0]?.address, "back@example.com")
      assert.strictEqual(mail?.parsed.text?.trim(), "Hello")
      assert.strictEqual(mail?.parsed.headers.find(({ key }) => key === "x-order")?.value, "1815")
      const timeline = yield* call("GET", `/v1/messages/${body.id}/timeline`)
      assert.deepStrictEqual(timeline.body.events.map(({ type }: { type: string }) => type).slice(0, 5), [
        "message.created",
        "message.pending",
        "message.processing",
        "message.sent",
        "message.delivered"
      ])
      assert.notInclude(JSON.stringify(message), key)
    })
  )

  it.effect("can have only text, and shows its recipients' names", () =>
    Effect.gen(function* () {
      const { call, mails } = yield* LiveService
      const request = send(
        {
          to: [{ email: "ada@example.com", name: "Lovelace, Ada" }, { email: "zoë@exämple.test".replace("ë", "e") }],
          cc: [{ email: "bob@example.com", name: "=?UTF-8?Q?x?=" }],
          bcc: [{ email: "eve@example.com", name: "Eve Secret" }]
        },
        { html: undefined, text: "Dear <Ada>,\nhello\n\nBob" }
      )
      const { body, status } = yield* call("POST", "/v1/messages", request)
      assert.strictEqual(status, 201)
      assert.strictEqual(body.content.html, "<p>Dear &lt;Ada&gt;,<br>hello</p><p>Bob</p>")
      yield* settled(body.id, "delivered")
      const mail = mails.find(({ parsed }) => parsed.messageId === body.emailMetadata.messageId)
      assert.deepStrictEqual(mail?.parsed.to, [
        { name: "Lovelace, Ada", address: "ada@example.com" },
        { name: "", address: "zoe@xn--exmple-cua.test" }
      ])
      assert.deepStrictEqual(mail?.parsed.cc, [{ name: "=?UTF-8?Q?x?=", address: "bob@example.com" }])
      assert.notInclude(mail?.raw, "Eve Secret")
      assert.strictEqual(mail?.parsed.text?.trimEnd(), "Dear <Ada>,\nhello\n\nBob")
      assert.strictEqual(mail?.parsed.html?.trimEnd(), body.content.html)
      const again = yield* call("POST", "/v1/messages", request)
      assert.strictEqual(again.body.id, body.id)
      const renamed = { ...request, cc: [{ email: "bob@example.com", name: "Bob" }] }
      assert.notStrictEqual((yield* call("POST", "/v1/messages", renamed)).body.id, body.id)
    })
  )

  it.effect("is created and sent once for fifty concurrent sends with one idempotency key", () =>
    Effect.gen(function* () {
      const { call, mails } = yield* LiveService
      const body = send({ idempotencyKey: randomUUID() })
      const responses = yield* Effect.forEach(Array.range(1, 50), () => call("POST", "/v1/messages", body), {
        concurrency: "unbounded"
      })
      assert.deepStrictEqual(new Set(responses.map(({ status }) => status)), new Set([201]))
      assert.strictEqual(new Set(responses.map(({ body: { id } }) => id)).size, 1)
      assert.strictEqual(responses.filter(({ headers }) => headers.get("idempotent-replayed") === null).length, 1)
      yield* settled(responses[0]?.body.id, "delivered")
      assert.strictEqual(mails.filter(({ parsed }) => parsed.subject === body.email.subject).length, 1)
      const conflict = yield* call("POST", "/v1/messages", { ...body, externalId: "other" })
      assert.strictEqual(conflict.status, 409)
      assert.deepInclude(conflict.body, { _tag: "ConflictError", resource: "message" })
      const header = yield* call("POST", "/v1/messages", send(), { "Idempotency-Key": "in-the-header" })
      const both = yield* call("POST", "/v1/messages", send({ idempotencyKey: "other" }), { "Idempotency-Key": "one" })
      assert.deepStrictEqual([header.status, both.status], [201, 422])
    })
  )

  it.effect("bounces if every recipient is refused, and stores the relay's reply", () =>
    Effect.gen(function* () {
      const { call } = yield* LiveService
      const { body } = yield* call("POST", "/v1/messages", send({ to: [{ email: "perm550@example.com" }] }))
      const message = yield* settled(body.id, "bounced")
      assert.isNotNull(message.failedAt)
      assert.deepInclude(message.emailMetadata.deliveries[0], { status: "bounced", smtpCode: 550 })
    })
  )

  it.effect("remains queued after a deferral, with the time of its next attempt", () =>
    Effect.gen(function* () {
      const { call } = yield* LiveService
      const forRecipient = yield* call("POST", "/v1/messages", send({ to: [{ email: "temp451@example.com" }] }))
      const forMessage = yield* call("POST", "/v1/messages", send({ to: [{ email: "data451@example.com" }] }))
      for (const { body } of [forRecipient, forMessage]) {
        const message = yield* settled(body.id, "queued")
        assert.strictEqual(message.retryCount, 1)
        const next = Date.parse(message.errorDetails.nextRetryAt)
        // The attempt was between these times.
        assert.isAtLeast(next - Date.parse(message.createdAt), 24_000)
        assert.isAtMost(next - Date.parse(message.updatedAt), 36_000)
      }
    })
  )

  it.effect("fails if the relay refuses the mail after DATA", () =>
    Effect.gen(function* () {
      const { call } = yield* LiveService
      const { body } = yield* call("POST", "/v1/messages", send({ to: [{ email: "data554@example.com" }] }))
      const message = yield* settled(body.id, "failed")
      assert.strictEqual(message.errorDetails.code, "message_refused")
    })
  )

  it.effect("is sent once to accepted recipients if others are refused or deferred", () =>
    Effect.gen(function* () {
      const { call, mails } = yield* LiveService
      const to = ["good@example.com", "perm550.other@example.com", "temp451@example.com"].map((email) => ({ email }))
      const { body } = yield* call("POST", "/v1/messages", send({ to }))
      const message = yield* settled(body.id, "delivered")
      assert.deepStrictEqual(
        message.emailMetadata.deliveries.map(({ status }: { status: string }) => status),
        ["delivered", "bounced", "deferred"]
      )
      assert.strictEqual(mails.filter(({ rcptTo }) => rcptTo.includes("good@example.com")).length, 1)
    })
  )

  it.effect("can be scheduled, cancelled and deleted", () =>
    Effect.gen(function* () {
      const { call, mails, organizationId } = yield* LiveService
      const scheduledAt = new Date(Date.now() + 3_600_000).toISOString()
      const { body } = yield* call("POST", "/v1/messages", send({ scheduledAt }))
      assert.strictEqual(body.status, "scheduled")
      const cancelled = yield* call("POST", `/v1/messages/${body.id}/cancel`)
      assert.deepStrictEqual([cancelled.body.status, cancelled.body.errorDetails.code], ["failed", "cancelled"])
      assert.strictEqual((yield* call("POST", `/v1/messages/${body.id}/cancel`)).status, 409)
      assert.deepStrictEqual((yield* call("DELETE", `/v1/messages/${body.id}`)).body, { success: true })
      assert.strictEqual((yield* call("GET", `/v1/messages/${body.id}`)).status, 404)
      const { body: due } = yield* call("POST", "/v1/messages", send({ scheduledAt }))
      const sql = yield* SqlClient.SqlClient
      yield* sql`UPDATE message_waiting SET due_at = now() WHERE organization_id = ${organizationId}`
      // The worker looks for due messages after a new one.
      yield* call("POST", "/v1/messages", send())
      const late = yield* settled(due.id, "delivered")
      assert.strictEqual(history(late), "scheduled pending processing sent delivered")
      const dated = mails.find(({ parsed }) => parsed.messageId === late.emailMetadata.messageId)?.parsed.date
      assert.strictEqual(dated?.slice(0, 19), late.scheduledAt.slice(0, 19))
    })
  )

  it.effect("accepts attachments and contacts, and merges repeated recipients", () =>
    Effect.gen(function* () {
      const { call, mails } = yield* LiveService
      const first = yield* call("POST", "/v1/messages", send({ to: [{ email: "carol@example.com" }] }))
      const contactId = first.body.toParticipantIds[0]
      const content = Buffer.from("hello, world").toString("base64")
      const { body } = yield* call(
        "POST",
        "/v1/messages",
        send(
          { to: [{ contactId }, { email: "CAROL@example.com" }] },
          { attachments: [{ filename: "a.txt", content, contentType: "text/plain" }] }
        )
      )
      assert.deepStrictEqual(body.content.attachments, [{ filename: "a.txt", contentType: "text/plain", size: 12 }])
      assert.deepStrictEqual(body.emailMetadata.to, ["carol@example.com"])
      yield* settled(body.id, "delivered")
      const mail = mails.find(({ parsed }) => parsed.subject === body.content.subject)
      assert.strictEqual(mail?.parsed.attachments[0]?.filename, "a.txt")
    })
  )

  it.effect("is validated individually in a batch", () =>
    Effect.gen(function* () {
      const { call } = yield* LiveService
      const { body, status } = yield* call("POST", "/v1/messages/batch", {
        messages: [send(), { channel: "email", to: [], email: {} }, send({}, { templateId: randomUUID() })]
      })
      assert.strictEqual(status, 200)
      assert.deepStrictEqual(
        body.results.map((result: { status: number; error?: { _tag: string } }) => [result.status, result.error?._tag]),
        [
          [201, undefined],
          [422, "ValidationError"],
          [404, "ResourceNotFoundError"]
        ]
      )
      assert.strictEqual((yield* call("POST", "/v1/messages/batch", { messages: [] })).status, 422)
    })
  )
})

layer(LiveService.Shared, { excludeTestServices: true })("A bad request", (it) => {
  const refused = (
    name: string,
    body: unknown,
    status: number,
    expected: Readonly<Record<string, unknown>>,
    headers: Readonly<Record<string, string>> = {}
  ) =>
    it.effect(name, () =>
      Effect.gen(function* () {
        const { call } = yield* LiveService
        const response = yield* call("POST", "/v1/messages", body, headers)
        assert.deepStrictEqual({ status: response.status, ...response.body }, { status, ...expected })
      })
    )
  const invalid = (name: string, body: unknown, fields: Readonly<Record<string, ReadonlyArray<string>>>) =>
    refused(name, body, 422, { _tag: "ValidationError", message: "The request body is invalid", fields })
  const malformed = (name: string, body: unknown, message: string, headers: Readonly<Record<string, string>> = {}) =>
    refused(name, body, 400, { _tag: "BadRequestError", message }, headers)

  malformed("with malformed JSON gets 400", "{", "The body is not valid JSON")
  malformed("with an array as body gets 400", "[]", "The body must be a JSON object")
  malformed("with another Content-Type gets 400", "{}", "The Content-Type must be application/json", {
    "Content-Type": "text/plain"
  })
  malformed(
    "with deeply nested JSON gets 400",
    `${'{"a":'.repeat(70)}1${"}".repeat(70)}`,
    "The body nests deeper than 64 levels"
  )
  invalid(
    "with missing fields gets all their errors",
    {},
    {
      channel: ["is required"],
      to: ["is required"],
      email: ["is required"]
    }
  )
  invalid(
    "with invalid fields gets all their errors",
    { channel: "sms", to: [], email: { text: 1 }, nonsense: 1 },
    {
      channel: ["The channel sms is staged: only email can be sent today"],
      to: ["must name at least one recipient"],
      "email.text": ["must be text"],
      "email.subject": ["is required without a template"],
      nonsense: ["is not a known field"]
    }
  )
  invalid("with two addresses in one is refused", send({ to: [{ email: "a@a.test, evil@x.test" }] }), {
    "to.0.email": ["must be an email address like ada@example.com"]
  })
  invalid(
    "with line breaks in headers is refused",
    send({}, { subject: "a\r\nBcc: evil@x.test", headers: { "X-A": "a\nb", Bcc: "e@x.test" } }),
    {
      "email.subject": ["must not contain line breaks"],
      "email.headers.X-A": ["must not contain line breaks"],
      "email.headers.Bcc": ["is set by the service"]
    }
  )
  invalid("with text that can't be stored is refused", send({ externalId: "a\u0000" }), {
    externalId: ["must not contain NUL or lone surrogates"]
  })
  invalid("from a foreign address is refused", send({}, { from: "ceo@bank.test" }), {
    "email.from": ["must be a verified sender of the organization, or at one of its verified domains"]
  })
  invalid("for the past is refused", send({ scheduledAt: "2020-01-01T00:00:00.000Z" }), {
    scheduledAt: ["must be in the future"]
  })
  refused(
    "with an unknown contact gets 404",
    send({ to: [{ contactId: "01a1fc1d-e1a0-7029-814e-d493ca640e3c" }] }),
    404,
    {
      _tag: "ResourceNotFoundError",
      resource: "participant",
      id: "01a1fc1d-e1a0-7029-814e-d493ca640e3c"
    }
  )

  it.effect("gets a JSON body and a request id", () =>
    Effect.gen(function* () {
      const { baseUrl, call, key } = yield* LiveService
      const anonymous = caller(baseUrl, null)
      const responses = yield* Effect.all([
        anonymous("GET", "/v1/messages"),
        anonymous("GET", "/v1/nothing"),
        call("PUT", "/v1/messages"),
        call("GET", "/v1/messages?limit=101"),
        call("GET", "/v1/messages?page=0"),
        call("GET", "/v1/messages?status=gone"),
        call("GET", "/v1/messages?startDate=infinity"),
        call("GET", "/v1/messages/none"),
        call("GET", "/v1/messages/01a1fc1d-e1a0-7029-814e-d493ca640e3c"),
        caller(baseUrl, `${key}x`)("GET", "/v1/messages")
      ])
      assert.deepStrictEqual(
        responses.map(({ body, status }) => `${status} ${body._tag}`),
        [
          "401 UnauthorizedError",
          "404 ResourceNotFoundError",
          "404 ResourceNotFoundError",
          "400 BadRequestError",
          "400 BadRequestError",
          "400 BadRequestError",
          "400 BadRequestError",
          "400 BadRequestError",
          "404 ResourceNotFoundError",
          "401 UnauthorizedError"
        ]
      )
      assert.isTrue(responses.every(({ headers }) => headers.get("x-request-id") !== null))
    })
  )

  it.effect("gets 413 by its Content-Length, or while a chunked body is read", () =>
    Effect.gen(function* () {
      const { baseUrl, key } = yield* LiveService
      const url = new URL(baseUrl)
      const post = (headers: Readonly<Record<string, string>>, chunks: number) =>
        Effect.async<number | undefined>((resume) => {
          const outgoing = request(
            {
              host: url.hostname,
              port: url.port,
              path: "/v1/messages",
              method: "POST",
              headers: { ...headers, "X-API-Key": key, "Content-Type": "application/json" }
            },
            (response) => resume(Effect.succeed(response.statusCode))
          )
          outgoing.on("error", () => undefined)
          const chunk = Buffer.alloc(1024 * 1024, 0x20)
          const write = (left: number): void => {
            if (left === 0) outgoing.end()
            else outgoing.write(chunk, () => write(left - 1))
          }
          write(chunks)
        })
      assert.strictEqual(yield* post({ "Content-Length": String(36 * 1024 * 1024) }, 0), 413)
      assert.strictEqual(yield* post({}, 37), 413)
    })
  )
})
