import { connect } from "node:net"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { call, LiveApi } from "../../LiveApi.js"

const path = "/v1/voice/knowledge-bases"

const newResource = Effect.map(call("POST", path, { body: { name: "Shop" } }), ({ body }) => body)

const hello = { filename: "hello.txt", contentType: "text/plain", contentLength: 5 }

const requestedUpload = Effect.fnUntraced(function* (given: object = {}) {
  const base = yield* newResource
  const { body } = yield* call("POST", `${path}/${base.id}/upload-url`, { body: { ...hello, ...given } })
  return { base, ...body, link: new URL(body.uploadUrl).pathname }
})

const put = (link: string, body: string, type = "text/plain") =>
  call("PUT", link, { body, key: null, headers: { "Content-Type": type } })

/** Sends a request as raw bytes and collects the response. */
const raw = (text: string) =>
  Effect.flatMap(LiveApi, ({ baseUrl }) =>
    Effect.async<string>((resume) => {
      const socket = connect(Number(new URL(baseUrl).port), "127.0.0.1")
      let received = ""
      socket.on("data", (chunk) => {
        received += chunk
        if (/\r\n\r\n.*\}/s.test(received)) socket.end()
      })
      socket.on("close", () => resume(Effect.succeed(received)))
      socket.write(text)
    })
  )

layer(LiveApi.layer, { excludeTestServices: true })("Knowledge bases", (it) => {
  it.effect("accept one PUT of the requested type and length, without a key", () =>
    Effect.gen(function* () {
      const { base, documentId, link, storageKey, ...more } = yield* requestedUpload()
      assert.deepStrictEqual(Object.keys(more), ["uploadUrl"])
      for (const [wrong, type, field] of [
        ["hello", "text/html", "contentType"],
        ["hell", "text/plain", "contentLength"],
        ["hello!", "text/plain", "contentLength"]
      ] as const) {
        const { body, status } = yield* put(link, wrong, type)
        assert.strictEqual(status, 422)
        assert.deepStrictEqual(Object.keys(body.fields), [field])
      }
      const { body, status } = yield* put(link, "hello")
      assert.deepStrictEqual([status, body], [200, { success: true }])
      assert.strictEqual((yield* put(link, "other")).status, 409)
      const unknown = yield* put(`${link}0`, "hello")
      assert.deepInclude(unknown.body, { _tag: "ResourceNotFoundError", resource: "upload" })
      assert.strictEqual((yield* call("GET", link, { key: null })).status, 404)
      const { body: documents } = yield* call("GET", `${path}/${base.id}/documents`)
      const [{ createdAt, ...document }] = documents.items
      assert.isString(createdAt)
      assert.deepStrictEqual(document, {
        ...{ ...hello, id: documentId, knowledgeBaseId: base.id, storageKey, status: "ready" }
      })
      assert.strictEqual((yield* call("GET", `${path}/${base.id}`)).body.documentCount, 1)
    })
  )

  it.effect("limit an upload without Content-Length, and respond before its end", () =>
    Effect.gen(function* () {
      const { link } = yield* requestedUpload()
      const head = `PUT ${link} HTTP/1.1\r\nHost: x\r\nContent-Type: text/plain\r\n`
      const chunked = `${head}Transfer-Encoding: chunked\r\n\r\n`
      assert.match(yield* raw(`${chunked}3\r\nhel\r\n0\r\n\r\n`), /^HTTP\/1\.1 422 /)
      // The client continues to send, and still receives the response.
      assert.match(yield* raw(`${chunked}6\r\nhello!\r\n`), /^HTTP\/1\.1 422 /)
      assert.match(yield* raw(`${head}Content-Length: 1000000\r\n\r\nhello`), /^HTTP\/1\.1 422 /)
      assert.match(yield* raw(`${chunked}5\r\nhello\r\n0\r\n\r\n`), /^HTTP\/1\.1 200 /)
    })
  )

  it.effect("accept a document again after an interrupted upload", () =>
    Effect.gen(function* () {
      const { baseUrl } = yield* LiveApi
      const { link } = yield* requestedUpload()
      const head = `PUT ${link} HTTP/1.1\r\nHost: x\r\nContent-Type: text/plain\r\nContent-Length: 5\r\n\r\n`
      const socket = connect(Number(new URL(baseUrl).port), "127.0.0.1")
      yield* Effect.async<void>((resume) => {
        socket.write(`${head}he`, () => resume(Effect.void))
      })
      socket.destroy()
      assert.strictEqual((yield* put(link, "hello")).status, 200)
    })
  )
})
