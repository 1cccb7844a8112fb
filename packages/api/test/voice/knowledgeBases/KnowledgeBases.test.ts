import { connect } from "node:net"
import { SqlClient } from "@effect/sql"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { call, keys, LiveApi } from "../../LiveApi.js"

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
  it.effect("are created, retrieved, listed and deleted", () =>
    Effect.gen(function* () {
      const { body: base, status } = yield* call("POST", path, { body: { name: "Prices", description: "All of them" } })
      assert.strictEqual(status, 201)
      assert.deepInclude(base, { name: "Prices", description: "All of them", documentCount: 0 })
      assert.deepStrictEqual((yield* call("GET", `${path}/${base.id}`)).body, base)
      const filters = encodeURIComponent('{"search":"Price"}')
      assert.deepStrictEqual((yield* call("GET", `${path}?filters=${filters}`)).body.items, [base])
      assert.strictEqual((yield* call("GET", `${path}?filters=%7B%22name%22%3A1%7D`)).status, 400)
      assert.strictEqual((yield* call("GET", `${path}/${base.id}`, { key: keys.otherOrganization })).status, 404)
      assert.strictEqual((yield* call("DELETE", `${path}/${base.id}`, { key: keys.otherOrganization })).status, 404)
      assert.deepStrictEqual((yield* call("DELETE", `${path}/${base.id}`)).body, { success: true })
      const gone = yield* call("GET", `${path}/${base.id}`)
      assert.deepInclude(gone.body, { _tag: "ResourceNotFoundError", resource: "knowledge base", id: base.id })
      assert.strictEqual((yield* call("GET", `${path}/${base.id}/documents`)).status, 404)
      assert.strictEqual((yield* call("POST", `${path}/${base.id}/upload-url`, { body: hello })).status, 404)
    })
  )

  it.effect("report all errors of an upload request", () =>
    Effect.gen(function* () {
      const base = yield* newResource
      const { body, status } = yield* call("POST", `${path}/${base.id}/upload-url`, {
        body: { filename: "../../etc/passwd", contentType: "pdf", contentLength: 52_428_801, more: 1 }
      })
      assert.strictEqual(status, 422)
      assert.deepStrictEqual(body.fields, {
        filename: [
          "must be the name of a file, without folders, control characters, or characters that turn the direction of text"
        ],
        contentType: ["must be a media type like text/plain"],
        contentLength: ["must be a whole number from 1 to 52428800"],
        more: ["is not a known field"]
      })
      const none = yield* call("POST", `${path}/${base.id}/upload-url`, { body: {} })
      assert.deepStrictEqual(Object.keys(none.body.fields).sort(), ["contentLength", "contentType", "filename"])
    })
  )

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
      const { base, link } = yield* requestedUpload()
      const head = `PUT ${link} HTTP/1.1\r\nHost: x\r\nContent-Type: text/plain\r\nContent-Length: 5\r\n\r\n`
      const sql = yield* SqlClient.SqlClient
      const socket = connect(Number(new URL(baseUrl).port), "127.0.0.1")
      socket.write(`${head}he`)
      // The upload is in progress from here on.
      yield* Effect.repeat(
        sql`SELECT FROM voice_knowledge_documents
        WHERE knowledge_base_id = ${base.id} AND held_until > now()`,
        {
          until: (held) => held.length > 0
        }
      )
      socket.destroy()
      const completed = yield* Effect.repeat(put(link, "hello"), { until: ({ status }) => status !== 409 })
      assert.strictEqual(completed.status, 200)
    })
  )
})
