import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { LiveService } from "../../LiveService.js"

const path = "/v1/voice/knowledge-bases"

/** Requests an upload of a plain text to a new knowledge base. */
export const requestUpload = Effect.fnUntraced(function* (contentLength: number) {
  const { call } = yield* LiveService
  const { body: made } = yield* call("POST", path, { name: "Shop" })
  const file = { filename: "hours.txt", contentType: "text/plain", contentLength }
  const { body: target, status } = yield* call("POST", `${path}/${made.id}/upload-url`, file)
  assert.strictEqual(status, 201, JSON.stringify(target))
  const statusOf = Effect.map(call("GET", `${path}/${made.id}/documents`), ({ body }) => body.items[0].status)
  const count = Effect.map(call("GET", `${path}/${made.id}`), ({ body }) => body.documentCount)
  const remove = Effect.map(call("DELETE", `${path}/${made.id}`), ({ status: removed }) => removed)
  const { storageKey, uploadUrl }: { readonly storageKey: string; readonly uploadUrl: string } = target
  return { storageKey, uploadUrl, status: statusOf, count, remove }
})

/** Uploads a document; returns the status code. */
export const put = (url: string, body: Uint8Array, type = "text/plain") =>
  Effect.map(
    Effect.promise(() => fetch(url, { method: "PUT", body, headers: { "content-type": type } })),
    ({ status }) => status
  )
