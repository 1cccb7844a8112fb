import { assert, layer } from "@effect/vitest"
import { operationRules } from "@switchboard/api/OperationRules"
import { sendExample } from "@switchboard/api/openapi/examples/MessageExamples"
import { MessageStatus } from "@switchboard/domain/messages/state/MessageStatus"
import { Effect, Ref } from "effect"
import { call, keys, LiveApi, message } from "./LiveApi.js"

const { idempotencyKey: _, ...send } = sendExample
const mebibyte = 1024 * 1024

const parameter = "The parameter idempotency-key"

layer(LiveApi.layer, { excludeTestServices: true })("The HTTP interface", (it) => {
  it.effect("checks key, organization, permission and rate before the request", () =>
    Effect.gen(function* () {
      const wrongId = "/v1/messages/none"
      const responses = yield* Effect.all([
        call("POST", "/v1/messages", { key: null, body: "{" }),
        call("GET", wrongId, { key: null, headers: { "X-API-Key": `${keys.admin}, ${keys.admin}` } }),
        call("GET", wrongId, { key: `${keys.admin}x` }),
        call("GET", wrongId, { key: keys.withoutOrganization }),
        call("POST", "/v1/messages", { key: keys.reader, body: "{" }),
        call("DELETE", wrongId, { key: keys.limited }),
        call("GET", wrongId, { key: keys.limited }),
        call("GET", wrongId),
        call("GET", "/v1/none", { key: null })
      ])
      assert.deepStrictEqual(
        responses.map(({ body, status }) => `${status} ${body._tag}`),
        [
          "401 UnauthorizedError",
          "401 UnauthorizedError",
          "401 UnauthorizedError",
          "403 ForbiddenError",
          "403 ForbiddenError",
          "403 ForbiddenError",
          "429 RateLimitedError",
          "400 BadRequestError",
          "404 ResourceNotFoundError"
        ]
      )
    })
  )

  it.effect.each([
    ["status=foo", `status must be one of ${MessageStatus.literals.join(", ")}`],
    ["channel=fax", "channel must be one of sms, whatsapp, email, voice"],
    ["status=sent&status=failed", "status must not be repeated"],
    ["limit=0&limit=0", "limit must not be repeated"],
    ["page=%2B5", "page must be a whole number from 1 to 10000000"],
    ["conversationId=5", "conversationId must be a uuid"],
    ["externalId=a%00b", "externalId must not contain NUL or lone surrogates"],
    ["search=%00", "search must not contain NUL or lone surrogates"],
    ["search=%20%20ab%20", "search must have 3 to 998 characters"],
    ["recipient=nonsense", "recipient must be an email address or a phone number"],
    ["startDate=now", "startDate must be an ISO 8601 date-time or date"]
  ])("rejects ?%s with the reason", ([query, problem]) =>
    Effect.gen(function* () {
      const { body, status } = yield* call("GET", `/v1/messages?${query}`)
      assert.deepStrictEqual([status, body], [400, { _tag: "BadRequestError", message: `The parameter ${problem}` }])
    })
  )

  it.effect("accepts ids in upper case", () =>
    Effect.gen(function* () {
      const { sent } = yield* LiveApi
      const { id } = message
      const upper = id.toUpperCase()
      assert.strictEqual((yield* call("GET", `/v1/messages/${upper}`)).body.id, id)
      yield* call("POST", "/v1/messages", {
        body: { ...send, to: [{ contactId: upper }], email: { templateId: upper }, conversationId: upper }
      })
      const request = sent.at(-1)
      assert.deepStrictEqual(
        request?.channel === "email" && [request.to[0]?.contactId, request.email.templateId, request.conversationId],
        [id, id, id]
      )
    })
  )

  it.effect("has rate limit headers, and Retry-After with 429", () =>
    Effect.gen(function* () {
      const budgetOf = ({ headers }: { readonly headers: Headers }) =>
        ["ratelimit-limit", "ratelimit-remaining", "ratelimit-reset", "retry-after"].map((name) => headers.get(name))
      assert.deepStrictEqual(budgetOf(yield* call("GET", "/v1/messages")), ["200", "199", "1", null])
      const refused = yield* call("GET", "/v1/messages", { key: keys.limited })
      assert.deepStrictEqual(budgetOf(refused), ["200", "0", "7", "7"])
      assert.strictEqual(refused.body.retryAfterSeconds, 7)
    })
  )

  it.effect("accepts a valid X-Request-Id, and adds security headers to every response", () =>
    Effect.gen(function* () {
      const own = yield* call("GET", "/v1/messages", { headers: { "X-Request-Id": "order-1815.a" } })
      assert.strictEqual(own.headers.get("x-request-id"), "order-1815.a")
      for (const given of ["a b", "x".repeat(129), "<script>", keys.admin, `a.${keys.admin}`]) {
        const { headers } = yield* call("GET", "/v1/none", { headers: { "X-Request-Id": given } })
        assert.match(headers.get("x-request-id") ?? "", /^[0-9a-f-]{36}$/)
        assert.strictEqual(headers.get("x-content-type-options"), "nosniff")
        assert.strictEqual(headers.get("cache-control"), "no-store")
        assert.include(headers.get("content-security-policy") ?? "", "default-src 'none'")
      }
    })
  )

  it.effect("allows CORS for configured origins only", () =>
    Effect.gen(function* () {
      const allowed = yield* call("OPTIONS", "/v1/messages", { key: null, headers: { Origin: "https://app.test" } })
      assert.strictEqual(allowed.status, 204)
      assert.strictEqual(allowed.headers.get("access-control-allow-origin"), "https://app.test")
      const sendable = (allowed.headers.get("access-control-allow-headers") ?? "").split(", ")
      assert.includeMembers(sendable, ["x-api-key", "authorization", "idempotency-key", "traceparent", "b3"])
      const exposed = (allowed.headers.get("access-control-expose-headers") ?? "").split(", ")
      assert.includeMembers(exposed, ["location", "link", "idempotent-replayed", "retry-after"])
      const other = yield* call("GET", "/v1/messages", { headers: { Origin: "https://evil.test" } })
      assert.isNull(other.headers.get("access-control-allow-origin"))
    })
  )

  it.effect("accepts the idempotency key in header or body, and rejects different ones", () =>
    Effect.gen(function* () {
      const { sent } = yield* LiveApi
      const sendWith = (header: string, body: object) =>
        call("POST", "/v1/messages", { body, headers: { "Idempotency-Key": header } })
      const first = yield* sendWith("from-header", send)
      assert.strictEqual(first.status, 201)
      assert.isNull(first.headers.get("idempotent-replayed"))
      assert.strictEqual(sent.at(-1)?.idempotencyKey, "from-header")
      const replay = yield* sendWith("again", { ...send, idempotencyKey: "again" })
      assert.deepStrictEqual([replay.status, replay.headers.get("idempotent-replayed")], [201, "true"])
      const differing = yield* sendWith("one", { ...send, idempotencyKey: "other" })
      assert.strictEqual(differing.status, 422)
      assert.property(differing.body.fields, "idempotencyKey")
    })
  )

  it.effect("decodes the idempotency key of the header as UTF-8", () =>
    Effect.gen(function* () {
      const { sent } = yield* LiveApi
      const sendWith = (octets: Uint8Array, body: object) =>
        call("POST", "/v1/messages", { body, headers: { "Idempotency-Key": Buffer.from(octets).toString("latin1") } })
      const utf8 = (text: string) => new TextEncoder().encode(text)
      const key = "Bestellung-\u00fc-\u8a02-\ud83d\ude00"
      assert.strictEqual((yield* sendWith(utf8(key), { ...send, idempotencyKey: key })).status, 201)
      assert.strictEqual((yield* sendWith(utf8(key), send)).status, 201)
      assert.strictEqual(sent.at(-1)?.idempotencyKey, key)

      assert.strictEqual((yield* sendWith(utf8("\ud83d\ude00".repeat(255)), send)).status, 201)
      const tooLong = yield* sendWith(utf8("\ud83d\ude00".repeat(256)), send)
      assert.deepStrictEqual(
        [tooLong.status, tooLong.body.message],
        [400, `${parameter} must have 1 to 255 characters`]
      )

      const notUtf8 = [[0xfc], [0xc0, 0xaf], [0xed, 0xa0, 0x80], [0xe2, 0x82]]
      for (const octets of notUtf8) {
        const { body, status } = yield* sendWith(Uint8Array.from(octets), send)
        assert.deepStrictEqual([status, body.message], [400, `${parameter} must be UTF-8`])
      }
    })
  )

  it.effect("reports text that cannot be stored together with all other errors", () =>
    Effect.gen(function* () {
      const unstorable = "must not contain NUL or lone surrogates"
      const { body, status, text } = yield* call("POST", "/v1/messages", {
        body: {
          ...send,
          externalId: "\0".repeat(256),
          referenceId: "",
          email: { subject: "\ud800" },
          "color\0": "red"
        }
      })
      assert.strictEqual(status, 422)
      assert.deepStrictEqual(body.fields, {
        externalId: [unstorable, "must have 1 to 255 characters"],
        referenceId: ["must have 1 to 255 characters"],
        "email.subject": [unstorable],
        "email.html": ["is required without a text or a template"],
        "?": ["must not have NUL or lone surrogates in its name", "is not a known field"]
      })
      assert.notInclude(text, "\\u0000")
    })
  )

  it.effect("isolates the failures of sends in a batch, also defects", () =>
    Effect.gen(function* () {
      const bodies = [send, { ...send, externalId: "a\0" }, { ...send, externalId: "defect" }, "no object", send]
      const { body, status, text } = yield* call("POST", "/v1/messages/batch", { body: { messages: bodies } })
      assert.strictEqual(status, 200)
      assert.deepStrictEqual(
        body.results.map((result: { status: number }) => result.status),
        [201, 422, 500, 422, 201]
      )
      assert.deepStrictEqual(Object.keys(body.results[1].error.fields), ["externalId"])
      assert.notInclude(text, "a secret of the database")
      for (const messages of [[], Array.from({ length: 101 }, () => send)]) {
        assert.strictEqual((yield* call("POST", "/v1/messages/batch", { body: { messages } })).status, 422)
      }
    })
  )

  it.effect("logs the cause of a defect and does not return it", () =>
    Effect.gen(function* () {
      const { lines } = yield* LiveApi
      const { body, status, text } = yield* call("POST", "/v1/messages", {
        body: { ...send, externalId: "defect" },
        headers: { "X-Request-Id": "defective" }
      })
      assert.deepStrictEqual([status, body._tag], [500, "InternalError"])
      assert.notInclude(text, "a secret of the database")
      const logged = lines.find(
        ({ annotations, message }) => annotations.requestId === "defective" && /secret/.test(message)
      )
      assert.isDefined(logged)
    })
  )

  it.effect("responds with 503 to an interrupted request", () =>
    Effect.gen(function* () {
      const { body, headers, status } = yield* call("POST", "/v1/messages", {
        body: { ...send, externalId: "interrupted" }
      })
      assert.deepStrictEqual([status, body._tag, body.retryAfterSeconds], [503, "ServiceUnavailableError", 1])
      assert.strictEqual(headers.get("retry-after"), "1")
      assert.isNotEmpty(headers.get("x-request-id"))
    })
  )

  it.effect("logs organization and route of a request, without keys", () =>
    Effect.gen(function* () {
      const { lines } = yield* LiveApi
      yield* call("GET", "/v1/messages?limit=5", { headers: { "X-Request-Id": "seen" } })
      yield* call("GET", "/v1/messages", { key: null, headers: { "X-Request-Id": "unseen" } })
      const lineOf = (requestId: string) => lines.find(({ annotations }) => annotations.requestId === requestId)
      const { apiKeyId, durationMs, ...line } = lineOf("seen")?.annotations ?? {}
      assert.isNumber(durationMs)
      assert.match(String(apiKeyId), /^[\da-f-]{36}$/)
      assert.deepStrictEqual(line, {
        requestId: "seen",
        organizationId: "01a1fc1d-cf8f-76d9-be28-52307925009f",
        method: "GET",
        route: "/v1/messages",
        status: 200
      })
      assert.notProperty(lineOf("unseen")?.annotations, "organizationId")
      for (const [requestId, method, path, route] of [
        ["one", "GET", `/v1/messages/${message.id}?include=content`, "/v1/messages/:id"],
        ["link", "GET", "/v1/objects/signed-token?x=1", "/v1/objects/*"],
        ["upload", "PUT", "/v1/uploads/signed-token", "/v1/uploads/:token"],
        ["refused", "GET", "/v1/messages/signed-token", "/v1/messages/:id"],
        ["no-route", "GET", "/v1/object/signed-token", undefined]
      ] as const) {
        yield* call(method, path, { headers: { "X-Request-Id": requestId } })
        assert.strictEqual(lineOf(requestId)?.annotations.route, route)
      }
      assert.notInclude(JSON.stringify(lines), "signed-token")
      for (const key of Object.values(keys)) assert.notInclude(JSON.stringify(lines), key)
    })
  )

  it.effect("stores the origin of a send without credentials", () =>
    Effect.gen(function* () {
      const { callers } = yield* LiveApi
      yield* call("POST", "/v1/messages?note=x&token=y", {
        body: send,
        headers: {
          "X-Forwarded-For": "203.0.113.9, 198.51.100.7:4711, 127.0.0.1",
          Cookie: "session=secret",
          Authorization: `Bearer ${keys.admin}`,
          "X-Long": "x".repeat(600)
        }
      })
      const request = callers.at(-1)?.request
      assert.strictEqual(request?.endpoint, "/v1/messages")
      assert.strictEqual(request?.ipAddress, "198.51.100.7")
      assert.deepStrictEqual(request?.query, { note: "x" })
      assert.strictEqual(request?.headers["x-long"]?.length, 500)
      for (const name of ["x-api-key", "cookie", "authorization"]) assert.notProperty(request?.headers, name)
    })
  )

  it.effect("accepts large bodies only for attachments and files", () =>
    Effect.sync(() => {
      const mebibytes = [...operationRules].map(([route, { bodyLimit }]) => [route, bodyLimit / mebibyte] as const)
      assert.deepStrictEqual(Object.fromEntries(mebibytes.filter(([, limit]) => limit > 1)), {
        "POST /v1/messages": 35,
        "POST /v1/messages/batch": 35,
        "POST /v1/email/send": 35,
        "POST /v1/attachments": 35,
        "POST /v1/email/blocks/import": 16,
        "POST /v1/mailbox/:id/reply": 35,
        "POST /resend/emails": 35,
        "POST /resend/emails/batch": 35
      })
    })
  )

  it.effect("serves the next request of a connection while the process closes them, and then responds with 503", () =>
    Effect.gen(function* () {
      const { serving } = yield* LiveApi
      yield* Effect.acquireUseRelease(
        Ref.set(serving, "closing"),
        () =>
          Effect.gen(function* () {
            const last = yield* call("GET", "/v1/messages")
            assert.deepStrictEqual([last.status, last.headers.get("connection")], [200, "close"])
            yield* Ref.set(serving, "draining")
            const { body, headers, status } = yield* call("GET", "/v1/messages")
            assert.deepStrictEqual([status, body._tag], [503, "ServiceUnavailableError"])
            assert.strictEqual(headers.get("retry-after"), "1")
            assert.strictEqual(headers.get("connection"), "close")
          }),
        () => Ref.set(serving, "serving")
      )
      assert.strictEqual((yield* call("GET", "/v1/messages")).status, 200)
    })
  )
})
