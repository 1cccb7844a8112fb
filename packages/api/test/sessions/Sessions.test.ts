import { assert, layer } from "@effect/vitest"
import { operationRules } from "@switchboard/api/OperationRules"
import { makeDocument } from "@switchboard/api/openapi/Document"
import { sendExample } from "@switchboard/api/openapi/examples/MessageExamples"
import { Effect } from "effect"
import { call, keys, LiveApi, message, organization } from "../LiveApi.js"
import { inlineParts } from "../openapi/InlineParts.js"

const { idempotencyKey: _, ...send } = sendExample

const logIn = (apiKey: unknown) => call("POST", "/v1/session", { key: null, body: { apiKey } })

/** Logs a browser in. */
const browser = (apiKey: string = keys.admin) =>
  Effect.map(logIn(apiKey), ({ body, headers, status }) => {
    assert.strictEqual(status, 200)
    const cookie = (headers.get("set-cookie") ?? "").split(";")[0] ?? ""
    const withCookie = (headers: Readonly<Record<string, string>>) => ({ Cookie: `theme=dark; ${cookie}`, ...headers })
    return {
      cookie,
      csrfToken: String(body.csrfToken),
      /** Sends a request with cookie and CSRF token, unless headers replace them. */
      sendRequest: (
        method: string,
        path: string,
        given: { readonly body?: unknown; readonly headers?: Readonly<Record<string, string>> } = {}
      ) =>
        call(method, path, {
          key: null,
          ...given,
          headers: withCookie(given.headers ?? { "X-CSRF-Token": String(body.csrfToken) })
        })
    }
  })

const outcome = ({ body, status }: { readonly status: number; readonly body: { readonly _tag?: string } }) =>
  [status, body._tag].join(" ").trim()

const operations = [...operationRules].map(([operation, { credentials }]) => {
  const [method = "", path = ""] = operation.split(" ")
  return { method, path: path.replace(/:\w+/g, message.id), template: path, credentials }
})

/** The credentials of an operation in the document. */
const bodyOf = (method: string, template: string) =>
  method !== "POST" ? undefined : template === "/v1/messages/batch" ? { messages: [send] } : send

layer(LiveApi.layer, { excludeTestServices: true })("A browser's session", (it) => {
  it.effect("sets an HttpOnly cookie and returns a CSRF token", () =>
    Effect.gen(function* () {
      const { body, headers, status } = yield* logIn(keys.admin)
      assert.strictEqual(status, 200)
      assert.hasAllKeys(body, ["csrfToken", "expiresAt"])
      assert.match(body.expiresAt, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
      const [pair = "", ...attributes] = (headers.get("set-cookie") ?? "").split("; ")
      assert.match(pair, /^switchboard_session=[\w-]{43}$/)
      assert.sameMembers(attributes, ["Max-Age=43200", "Path=/", "HttpOnly", "Secure", "SameSite=Strict"])
    })
  )

  it.effect("requires a valid key with an organization, within its rate limit", () =>
    Effect.gen(function* () {
      const responses = yield* Effect.forEach(
        [`${keys.admin}x`, "", keys.withoutOrganization, keys.limited, 5, undefined],
        (key) => logIn(key)
      )
      assert.deepStrictEqual(responses.map(outcome), [
        "401 UnauthorizedError",
        "401 UnauthorizedError",
        "403 ForbiddenError",
        "429 RateLimitedError",
        "422 ValidationError",
        "422 ValidationError"
      ])
      for (const { headers } of responses) assert.isNull(headers.get("set-cookie"))
      const fields = (body: object) =>
        Effect.map(call("POST", "/v1/session", { key: null, body }), (response) => response.body.fields)
      assert.deepStrictEqual(yield* fields({}), { apiKey: ["is required without loginToken or email"] })
      assert.deepStrictEqual(yield* fields({ apiKey: keys.admin, loginToken: "token" }), {
        loginToken: ["must be left out where apiKey is given"]
      })
      assert.deepStrictEqual(yield* fields({ loginToken: 5 }), { loginToken: ["must be text"] })
      const unknown = yield* call("POST", "/v1/session", { key: null, body: { loginToken: "a".repeat(43) } })
      assert.strictEqual(outcome(unknown), "401 UnauthorizedError")
    })
  )

  it.effect("is accepted by every operation that takes an API key", () =>
    Effect.gen(function* () {
      const { sendRequest } = yield* browser()
      const others = operations.filter(({ credentials }) => !credentials.includes("apiKey"))
      assert.deepStrictEqual(
        others.map(({ credentials, method, template }) => [method, template, ...credentials]),
        [
          ["POST", "/v1/session"],
          ["GET", "/v1/session/methods"],
          ["GET", "/v1/session", "session"],
          ["DELETE", "/v1/session", "session"],
          ["POST", "/v1/session/password", "session"],
          ["POST", "/v1/session/totp", "session"],
          ["POST", "/v1/session/totp/confirm", "session"],
          ["POST", "/v1/session/totp/remove", "session"],
          ["POST", "/v1/users/invitations/accept"],
          ["POST", "/v1/users/password-resets"],
          ["POST", "/v1/users/password-resets/confirm"],
          ["GET", "/v1/email/senders/confirm"],
          ["POST", "/v1/email/senders/confirm"],
          ["POST", "/v1/providers/twilio"],
          ["GET", "/v1/providers/whatsapp"],
          ["POST", "/v1/providers/whatsapp"],
          ["GET", "/resend/openapi.json"]
        ]
      )
      for (const { credentials, method, path, template } of operations) {
        if (!credentials.includes("apiKey")) continue
        assert.deepStrictEqual(credentials, ["apiKey", "session"], template)
        // The event stream does not end; the key of the session is not the first one.
        if (["/v1/events", "/v1/system"].includes(template)) continue
        const { status } = yield* sendRequest(method, path, { body: bodyOf(method, template) })
        assert.notInclude([401, 403], status, `${method} ${template}`)
      }
    })
  )

  it.effect("is described with its organization and permissions, and with the CSRF token of the log-in", () =>
    Effect.gen(function* () {
      const { csrfToken, sendRequest } = yield* browser()
      const { body, headers, status } = yield* sendRequest("GET", "/v1/session", { headers: {} })
      assert.strictEqual(status, 200)
      const { body: current } = yield* call("GET", "/v1/organizations/current")
      assert.match(body.expiresAt, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
      assert.deepStrictEqual(body, {
        organization: { id: organization, name: current.name },
        permissions: { "*": ["*"] },
        expiresAt: body.expiresAt,
        csrfToken
      })
      assert.strictEqual(headers.get("cache-control"), "no-store")
      assert.strictEqual(outcome(yield* call("GET", "/v1/session")), "401 UnauthorizedError")
      const { body: viewer } = yield* call("POST", "/v1/api-keys", { body: { name: "Viewer", roleName: "viewer" } })
      const { body: ofViewer } = yield* (yield* browser(viewer.key)).sendRequest("GET", "/v1/session")
      assert.strictEqual(ofViewer.roleName, "viewer")
      assert.deepStrictEqual(ofViewer.permissions, viewer.permissions)
    })
  )

  it.effect("requires the CSRF token for changes", () =>
    Effect.gen(function* () {
      const { sent } = yield* LiveApi
      const [own, other] = [yield* browser(), yield* browser()]
      const before = sent.length
      const unsafe = operations.filter(({ credentials, method }) => credentials.includes("session") && method !== "GET")
      assert.isAtLeast(unsafe.length, 50)
      const wrong = ["", other.csrfToken, `${own.csrfToken}0`].map((token) => ({ "X-CSRF-Token": token }))
      for (const [at, { method, path, template }] of unsafe.entries()) {
        for (const headers of at === 0 ? [{}, ...wrong] : [{}]) {
          const response = yield* own.sendRequest(method, path, { body: bodyOf(method, template), headers })
          const expected = template.startsWith("/resend/") ? "401" : "403 ForbiddenError"
          assert.strictEqual(outcome(response), expected, `${method} ${template}`)
        }
      }
      assert.strictEqual(sent.length, before)
    })
  )

  it.effect("has the permissions of its key and the rate limit of its organization", () =>
    Effect.gen(function* () {
      const { sendRequest } = yield* browser(keys.reader)
      const read = yield* sendRequest("GET", "/v1/messages")
      assert.strictEqual(read.status, 200)
      assert.strictEqual(read.headers.get("ratelimit-limit"), "200")
      assert.strictEqual(outcome(yield* sendRequest("POST", "/v1/messages", { body: send })), "403 ForbiddenError")
    })
  )

  it.effect("is ignored if the request has an API key", () =>
    Effect.gen(function* () {
      const { cookie } = yield* browser()
      const both = (credentials: Readonly<Record<string, string>>) =>
        call("POST", "/v1/messages", { key: null, body: send, headers: { Cookie: cookie, ...credentials } })
      for (const header of ["X-API-Key", "Authorization"]) {
        const keyIn = (key: string) => ({ [header]: header === "Authorization" ? `Bearer ${key}` : key })
        const responses = yield* Effect.forEach([keys.admin, keys.reader, "wrong"], (key) => both(keyIn(key)))
        assert.deepStrictEqual(responses.map(outcome), ["201", "403 ForbiddenError", "401 UnauthorizedError"])
      }
    })
  )

  it.effect("is rejected with an unknown cookie", () =>
    Effect.gen(function* () {
      for (const cookie of [
        "switchboard_session=",
        `switchboard_session=${"a".repeat(43)}`,
        "switchboard_session=;;,",
        "x"
      ]) {
        const response = yield* call("GET", "/v1/messages", { key: null, headers: { Cookie: cookie } })
        assert.strictEqual(outcome(response), "401 UnauthorizedError", cookie)
      }
    })
  )

  it.effect("ends only at log-out, which requires the CSRF token", () =>
    Effect.gen(function* () {
      const [own, other] = [yield* browser(), yield* browser()]
      assert.notStrictEqual(own.cookie, other.cookie)
      const logOut = (headers?: Readonly<Record<string, string>>) =>
        own.sendRequest("DELETE", "/v1/session", headers === undefined ? {} : { headers })
      assert.strictEqual(outcome(yield* logOut({})), "403 ForbiddenError")
      assert.strictEqual(outcome(yield* logOut({ "X-CSRF-Token": other.csrfToken })), "403 ForbiddenError")
      const { body, headers, status } = yield* logOut()
      assert.deepStrictEqual([status, body], [200, { success: true }])
      assert.match(headers.get("set-cookie") ?? "", /^switchboard_session=; Max-Age=0; /)
      assert.strictEqual(outcome(yield* logOut()), "401 UnauthorizedError")
      assert.strictEqual(outcome(yield* own.sendRequest("GET", "/v1/messages")), "401 UnauthorizedError")
      assert.strictEqual((yield* other.sendRequest("GET", "/v1/messages")).status, 200)
      const byKey = yield* call("DELETE", "/v1/session")
      assert.strictEqual(outcome(byKey), "401 UnauthorizedError")
    })
  )

  it.effect("is stored neither with a message nor in the log", () =>
    Effect.gen(function* () {
      const { callers, lines } = yield* LiveApi
      const { sendRequest, cookie, csrfToken } = yield* browser()
      assert.strictEqual((yield* sendRequest("POST", "/v1/messages", { body: send })).status, 201)
      const logged = JSON.stringify(callers.at(-1))
      for (const secret of [cookie, cookie.split("=")[1] ?? "", csrfToken, keys.admin]) {
        assert.notInclude(logged, secret)
        assert.notInclude(JSON.stringify(lines), secret)
      }
      const byCookie = callers.at(-1)?.apiKeyId
      yield* call("POST", "/v1/messages", { body: send })
      assert.strictEqual(byCookie, callers.at(-1)?.apiKeyId)
    })
  )

  it.effect("is not available to other origins", () =>
    Effect.gen(function* () {
      const { cookie, sendRequest } = yield* browser()
      const form = { Origin: "https://app.test", "Content-Type": "text/plain" }
      const posted = yield* sendRequest("POST", "/v1/messages", { body: send, headers: form })
      assert.strictEqual(outcome(posted), "403 ForbiddenError")
      for (const Origin of ["https://app.test", "https://other.test"]) {
        const read = yield* call("GET", "/v1/session", { key: null, headers: { Cookie: cookie, Origin } })
        assert.isNull(read.headers.get("access-control-allow-credentials"))
      }
      const { headers } = yield* call("OPTIONS", "/v1/messages", { key: null, headers: { Origin: "https://app.test" } })
      assert.isNull(headers.get("access-control-allow-credentials"))
      assert.notInclude(headers.get("access-control-allow-headers") ?? "", "csrf")
    })
  )

  it.effect("is described in the document next to the API key", () =>
    Effect.sync(() => {
      const { components, paths } = inlineParts(makeDocument("https://mail.example.net", "0.2.0"))
      assert.deepInclude(components.securitySchemes.session, {
        type: "apiKey",
        in: "cookie",
        name: "switchboard_session"
      })
      assert.include(components.securitySchemes.session.description, "X-CSRF-Token")
      const securityOf = (path: string, method: string) => paths[path][method].security
      assert.deepStrictEqual(securityOf("/v1/messages", "post"), [{ apiKey: [] }, { bearer: [] }, { session: [] }])
      assert.deepStrictEqual(securityOf("/v1/session", "post"), [])
      assert.deepStrictEqual(securityOf("/v1/session", "get"), [{ session: [] }])
      const parameters = (path: string, method: string) =>
        paths[path][method].parameters.map(({ name }: { readonly name: string }) => name)
      assert.include(parameters("/v1/messages", "post"), "X-CSRF-Token")
      assert.notInclude(parameters("/v1/messages", "get"), "X-CSRF-Token")
    })
  )
})
