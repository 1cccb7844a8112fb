import { createHash } from "node:crypto"
import { SqlClient } from "@effect/sql"
import { assert, layer } from "@effect/vitest"
import { TestDatabase } from "@switchboard/store/testing/TestDatabase"
import { Effect, Layer } from "effect"
import { v7 } from "uuid"
import { caller, LiveService, send, until } from "../LiveService.js"
import { newKey, startService } from "../TestService.js"
import { logIn, openStream } from "./Browser.js"

const Live = TestDatabase.pipe(Layer.provideMerge(LiveService.Shared))

const sha256 = (text: string) => createHash("sha256").update(text).digest("hex")

/** A key that the test changes as an operator would. */
const makeKey = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const { organizationId } = yield* LiveService
  const [id, key] = [v7(), newKey()]
  yield* sql`INSERT INTO api_keys (id, organization_id, name, start, hash, permissions, created_at)
    VALUES (${id}, ${organizationId}, 'A key', 'sk_sm_', ${sha256(key)}, '{"*": ["*"]}', now())`
  return { id, key }
})

layer(Live, { excludeTestServices: true })("A browser's session", (it) => {
  it.scoped("is valid on every process, and stores no secret in the database", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { baseUrl, environment } = yield* LiveService
      const other = caller((yield* startService(environment)).baseUrl, null)
      const { key } = yield* makeKey
      const { attributes, headers } = yield* logIn(baseUrl, { apiKey: key })
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

  it.scoped.each([
    { is: "the key is made inactive", change: "UPDATE api_keys SET is_active = false WHERE id = " },
    { is: "the key expires", change: "UPDATE api_keys SET expires_at = now() WHERE id = " },
    { is: "the key is removed", change: "UPDATE api_keys SET removed_at = now() WHERE id = " },
    { is: "the key is rotated", change: "UPDATE api_keys SET hash = hash || 'rotated' WHERE id = " },
    { is: "the session expires", change: "UPDATE sessions SET expires_at = now() WHERE api_key_id = " }
  ])("ends with its open event stream when $is", ({ change }) =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { baseUrl } = yield* LiveService
      const { id, key } = yield* makeKey
      const { headers } = yield* logIn(baseUrl, { apiKey: key })
      const stream = yield* openStream(baseUrl, { Cookie: headers.Cookie })
      assert.strictEqual(stream.status, 200)
      yield* sql`${sql.literal(change)} ${id}`
      yield* stream.ended
      const { body, status } = yield* caller(baseUrl, null)("GET", "/v1/session", undefined, headers)
      assert.deepStrictEqual(
        [status, body],
        [401, { _tag: "UnauthorizedError", message: "The session is missing or has ended" }]
      )
    })
  )

  it.scoped("ends with its open event stream at log-out, and other sessions of the key continue", () =>
    Effect.gen(function* () {
      const { baseUrl } = yield* LiveService
      const { key } = yield* makeKey
      const [own, other] = [yield* logIn(baseUrl, { apiKey: key }), yield* logIn(baseUrl, { apiKey: key })]
      const request = caller(baseUrl, null)
      const stream = yield* openStream(baseUrl, { Cookie: own.headers.Cookie })
      const { "X-CSRF-Token": csrfToken } = other.headers
      const stolen = { Cookie: own.headers.Cookie, "X-CSRF-Token": csrfToken, Origin: "https://other.test" }
      assert.strictEqual((yield* request("DELETE", "/v1/session", undefined, stolen)).status, 403)
      assert.strictEqual((yield* request("DELETE", "/v1/session", undefined, own.headers)).status, 200)
      yield* stream.ended
      assert.strictEqual((yield* request("GET", "/v1/session", undefined, other.headers)).status, 200)
    })
  )
})
