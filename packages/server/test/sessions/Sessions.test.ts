import { createHash } from "node:crypto"
import { SqlClient } from "@effect/sql"
import { assert, layer } from "@effect/vitest"
import { startServer } from "@switchboard/server/demo/ServerProcess"
import { TestDatabase } from "@switchboard/store/testing/TestDatabase"
import { Effect, Layer } from "effect"
import { v7 } from "uuid"
import { caller, LiveService, send, until } from "../LiveService.js"

const Live = TestDatabase.pipe(Layer.provideMerge(LiveService.layer()))

const sha256 = (text: string) => createHash("sha256").update(text).digest("hex")

let keys = 0

/** A key that the test changes as an operator would. */
const makeKey = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  keys += 1
  const [id, key] = [v7(), `sk_sm_${String(keys).padStart(40, "0")}`]
  yield* sql`INSERT INTO api_keys (id, organization_id, name, start, hash, permissions, created_at)
    SELECT ${id}, id, 'A key', 'sk_sm_', ${sha256(key)}, '{"*": ["*"]}', now() FROM organizations LIMIT 1`
  return { id, key }
})

const logIn = (baseUrl: string, key: string) =>
  Effect.gen(function* () {
    const { body, headers, status } = yield* caller(baseUrl, null)("POST", "/v1/session", { apiKey: key })
    assert.strictEqual(status, 200)
    const [Cookie = "", ...attributes] = (headers.get("set-cookie") ?? "").split("; ")
    return { attributes, headers: { Cookie, "X-CSRF-Token": String(body.csrfToken) } }
  })

layer(Live, { excludeTestServices: true, timeout: "60 seconds" })("A browser's session", (it) => {
  it.scoped("is valid on every process, and stores no secret in the database", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { baseUrl, environment } = yield* LiveService
      const other = caller(yield* startServer(environment), null)
      const { key } = yield* makeKey
      const { attributes, headers } = yield* logIn(baseUrl, key)
      // PUBLIC_URL is http: a Secure cookie would never be returned.
      assert.sameMembers(attributes, ["Max-Age=43200", "Path=/", "HttpOnly", "SameSite=Strict"])

      const sent = yield* other("POST", "/v1/messages", send(), headers)
      assert.strictEqual(sent.status, 201)
      const { "X-CSRF-Token": csrfToken, Cookie } = headers
      const [row] = yield* sql`SELECT m.api_request_metadata::text AS metadata,
          (SELECT json_agg(s)::text FROM sessions AS s) AS sessions
        FROM messages AS m WHERE m.id = ${sent.body.id}`
      const stored = JSON.stringify({ row, response: sent.body })
      for (const secret of [key, csrfToken, Cookie.split("=")[1] ?? ""]) assert.notInclude(stored, secret)
      assert.strictEqual((yield* other("POST", "/v1/messages", send(), { Cookie })).status, 403)

      assert.strictEqual((yield* other("DELETE", "/v1/session", undefined, headers)).status, 200)
      yield* until(caller(baseUrl, null)("GET", "/v1/messages", undefined, headers), ({ status }) => status === 401)
    })
  )

  it.effect.each([
    { is: "made inactive", change: "is_active = false" },
    { is: "expired", change: "expires_at = now()" },
    { is: "removed", change: "removed_at = now()" },
    { is: "rotated", change: "hash = hash || 'rotated'" }
  ])("ends when its key is $is", ({ change }) =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { baseUrl } = yield* LiveService
      const { id, key } = yield* makeKey
      const { headers } = yield* logIn(baseUrl, key)
      const request = caller(baseUrl, null)("GET", "/v1/messages", undefined, headers)
      assert.strictEqual((yield* request).status, 200)
      yield* sql`UPDATE api_keys SET ${sql.literal(change)} WHERE id = ${id}`
      yield* until(request, ({ status }) => status === 401)
    })
  )
})
