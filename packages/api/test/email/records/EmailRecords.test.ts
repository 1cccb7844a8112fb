import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { call, keys, LiveApi, message } from "../../LiveApi.js"

const unknown = "01a1fc1d-e1a0-7029-814e-d493ca640e30"

layer(LiveApi.layer, { excludeTestServices: true })("An e-mail", (it) => {
  it.effect("is returned by the id of its message", () =>
    Effect.gen(function* () {
      const { body, status } = yield* call("GET", `/v1/email/${message.id}`)
      assert.strictEqual(status, 200)
      assert.deepInclude(body, {
        id: message.id,
        direction: "outbound",
        subject: "Your order has shipped",
        bcc: [],
        headers: { "X-One": "1" },
        size: 815
      })
      const { id, url, ...file } = body.attachments[0]
      assert.deepStrictEqual(file, { filename: "a.txt", contentType: "text/plain", size: 5 })
      assert.match(id, /^[0-9a-f-]{36}$/)
      assert.match(url, /^https:\/\/mail\.test\/v1\/objects\/[\w.-]+$/)
    })
  )

  it.effect("responds with 404 to other organizations, and requires email.read", () =>
    Effect.gen(function* () {
      for (const form of ["", "/raw", "/html"]) {
        for (const [id, key] of [
          [unknown, keys.admin],
          [message.id, keys.otherOrganization]
        ] as const) {
          const { body, status } = yield* call("GET", `/v1/email/${id}${form}`, { key })
          assert.deepStrictEqual([status, body], [404, { _tag: "ResourceNotFoundError", resource: "email", id }])
        }
      }
    })
  )

  it.effect("is returned as octets of a mail", () =>
    Effect.gen(function* () {
      const { headers, status, text } = yield* call("GET", `/v1/email/${message.id}/raw`)
      assert.strictEqual(status, 200, text)
      assert.strictEqual(headers.get("content-type"), "message/rfc822")
      assert.include(text, `\r\nMessage-ID: ${message.emailMetadata?.messageId}\r\n`)
    })
  )

  it.effect("is returned as a page that only its own origin can frame", () =>
    Effect.gen(function* () {
      const { headers, status, text } = yield* call("GET", `/v1/email/${message.id}/html`)
      assert.strictEqual(status, 200, text)
      assert.strictEqual(headers.get("content-type"), "text/html; charset=utf-8")
      assert.strictEqual(headers.get("x-frame-options"), "SAMEORIGIN")
      const policy = headers.get("content-security-policy") ?? ""
      assert.match(policy, /^sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:;/)
      assert.match(policy, /; frame-ancestors 'self'$/)
      assert.include(text, message.content.html)
    })
  )

  it.effect("does not match the paths of other operations", () =>
    Effect.gen(function* () {
      for (const path of ["domains", "senders", "templates", "blocks", "threads", "threads/counts", "blocks/logs"]) {
        assert.strictEqual((yield* call("GET", `/v1/email/${path}`)).status, 200, path)
      }
    })
  )
})
