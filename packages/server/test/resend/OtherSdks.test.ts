import { request } from "node:http"
import { text } from "node:stream/consumers"
import { assert, layer } from "@effect/vitest"
import { DateTime, Effect } from "effect"
import { LiveService, relayed } from "../LiveService.js"

/** A request as an SDK writes it. `{id}` in the path is the id in the response before it. */
interface SdkRequest {
  readonly method: string
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
}

const json = { "content-type": "application/json" }

/** The requests of resend-python 2.33 (request.py, emails/_emails.py, examples): every request has a JSON body. */
const python = (from: string, at: string): ReadonlyArray<SdkRequest> => [
  {
    method: "POST",
    path: "/emails",
    headers: { accept: "application/json", "idempotency-key": "44" },
    body: {
      from,
      to: ["delivered@example.com"],
      subject: "python",
      html: "<strong>hello, world!</strong>",
      reply_to: "to@example.com",
      bcc: "bcc@example.com",
      cc: ["cc@example.com"],
      tags: [
        { name: "tag1", value: "tagvalue1" },
        { name: "tag2", value: "tagvalue2" }
      ],
      attachments: [
        {
          filename: "invoice.pdf",
          content: [...Buffer.from("%PDF-")],
          content_type: "application/pdf",
          inline_content_id: "invoice"
        }
      ]
    }
  },
  { method: "GET", path: "/emails/{id}", body: {} },
  { method: "GET", path: "/emails?limit=5", body: {} },
  {
    method: "POST",
    path: "/emails/batch",
    headers: { "idempotency-key": "af477dc78aa9fa91fff3b8c0d4a2e1a5", "x-batch-validation": "permissive" },
    body: [{ from, to: ["delivered@example.com"], subject: "python batch", html: "<strong>hello, world!</strong>" }]
  },
  {
    method: "POST",
    path: "/emails",
    body: { from, to: ["delivered@example.com"], subject: "python later", html: "<p>later</p>", scheduled_at: at }
  },
  { method: "PATCH", path: "/emails/{id}", body: { id: "{id}", scheduled_at: at } },
  { method: "POST", path: "/emails/{id}/cancel", body: {} }
]

/** The requests of resend-php 1.10 (ValueObjects/Transporter/Payload.php): POST and PATCH have a JSON body. */
const php = (from: string, at: string): ReadonlyArray<SdkRequest> => [
  {
    method: "POST",
    path: "/emails",
    headers: { "idempotency-key": "welcome-user/123456789" },
    body: {
      from,
      to: ["delivered@example.com"],
      subject: "php",
      html: "<p>hello</p>",
      attachments: [{ filename: "hello.txt", content: Buffer.from("hello").toString("base64") }]
    }
  },
  { method: "GET", path: "/emails/{id}" },
  { method: "GET", path: "/emails?limit=5" },
  {
    method: "POST",
    path: "/emails/batch",
    headers: { "x-batch-validation": "strict" },
    body: [{ from, to: "delivered@example.com", subject: "php batch", text: "hello" }]
  },
  {
    method: "POST",
    path: "/emails",
    body: { from, to: ["delivered@example.com"], subject: "php later", html: "<p>later</p>", scheduled_at: at }
  },
  { method: "PATCH", path: "/emails/{id}", body: { scheduled_at: at } },
  { method: "POST", path: "/emails/{id}/cancel", body: {} }
]

/** Sends a request, also a GET with a body, which `fetch` cannot. */
const send = (url: string, { body, headers, method }: SdkRequest, key: string) =>
  Effect.async<{ readonly status: number | undefined; readonly text: string }>((resume) => {
    const content = body === undefined ? "" : JSON.stringify(body)
    const length = body === undefined ? {} : { "content-length": Buffer.byteLength(content) }
    const sent = request(url, { method, headers: { ...json, ...length, ...headers, authorization: `Bearer ${key}` } })
    sent.on("response", (response) =>
      resume(
        Effect.map(
          Effect.promise(() => text(response)),
          (text) => ({ status: response.statusCode, text })
        )
      )
    )
    sent.end(content)
  })

/** Sends requests in order. Returns the status and the names of the fields of each response. */
const replay = (requests: ReadonlyArray<SdkRequest>) =>
  Effect.gen(function* () {
    const { baseUrl, key } = yield* LiveService
    let id = ""
    return yield* Effect.forEach(requests, (one) =>
      Effect.gen(function* () {
        const filled: SdkRequest = JSON.parse(JSON.stringify(one).replaceAll("{id}", id))
        const { status, text } = yield* send(`${baseUrl}/resend${filled.path}`, filled, key)
        const result = JSON.parse(text)
        id = result.id ?? id
        return `${one.method} ${one.path} ${status} ${Object.keys(result).sort().join()}`
      })
    )
  })

const email = "bcc,cc,created_at,from,html,id,last_event,message_id,object,reply_to,scheduled_at,subject,tags,text,to"

layer(LiveService.Shared, { excludeTestServices: true })("Requests of other Resend SDKs", (it) => {
  it.effect.each([
    { name: "python", requests: python, batch: "data,errors" },
    { name: "php", requests: php, batch: "data" }
  ])("get the responses of Resend: $name", ({ batch, name, requests }) =>
    Effect.gen(function* () {
      const { sender } = yield* LiveService
      const at = DateTime.formatIso(DateTime.add(yield* DateTime.now, { hours: 1 }))
      assert.deepStrictEqual(yield* replay(requests(sender, at)), [
        "POST /emails 200 id",
        `GET /emails/{id} 200 ${email}`,
        "GET /emails?limit=5 200 data,has_more,object",
        `POST /emails/batch 200 ${batch}`,
        "POST /emails 200 id",
        "PATCH /emails/{id} 200 id,object",
        "POST /emails/{id}/cancel 200 id,object"
      ])
      const mail = yield* relayed(({ parsed }) => parsed.subject === name)
      assert.lengthOf(mail.parsed.attachments, 1)
    })
  )

  it.effect("take null for a field that is left out, and an empty list for an empty object: Laravel", () =>
    Effect.gen(function* () {
      const { baseUrl, key, sender } = yield* LiveService
      // ResendTransport of laravel/framework: json_encode of PHP writes an empty array as a list.
      const body = {
        from: `"Acme \\"Shop\\"" <${sender}>`,
        to: ["delivered@example.com"],
        cc: [],
        bcc: [],
        reply_to: [],
        headers: [],
        subject: "laravel",
        html: "<p>hello</p>",
        text: null,
        attachments: []
      }
      const { status, text } = yield* send(`${baseUrl}/resend/emails`, { method: "POST", path: "", body }, key)
      assert.strictEqual(status, 200, text)
      const { parsed } = yield* relayed(({ parsed }) => parsed.subject === "laravel")
      assert.deepStrictEqual(parsed.from, { address: sender, name: 'Acme "Shop"' })
      const refused = { ...body, headers: ["X-A"], attachments: null, text: 5 }
      const { text: error } = yield* send(`${baseUrl}/resend/emails`, { method: "POST", path: "", body: refused }, key)
      assert.strictEqual(
        JSON.parse(error).message,
        "The `text` field must be text or null. The `headers` field must be an object."
      )
    })
  )
})
