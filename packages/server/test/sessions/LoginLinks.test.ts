import { assert, describe, it } from "@effect/vitest"
import { startServer } from "@switchboard/server/demo/ServerProcess"
import { TestDatabaseUrl } from "@switchboard/store/testing/TestDatabase"
import { Effect, Redacted } from "effect"
import { adminKey, caller, temporaryFolder } from "../LiveService.js"
import { base, failing, launch, run } from "../ServiceProcess.js"
import { logIn } from "./Browser.js"

const tokenIn = (output: string) => /\/console\/#login=([\w-]{43})$/m.exec(output)?.[1] ?? "no link"

const usedLink = {
  _tag: "UnauthorizedError",
  message: 'The log-in link was used before or is older than 15 minutes: run "switchboard login-link" for a new one'
}

const prepared = Effect.gen(function* () {
  const url = yield* TestDatabaseUrl
  return { ...base(yield* temporaryFolder), DATABASE_URL: Redacted.value(url) }
})

describe("A log-in link", () => {
  it.scopedLive(
    "is printed by the first start on loopback, and logs one browser in, also of several processes",
    () =>
      Effect.gen(function* () {
        const environment = yield* prepared
        const { baseUrl, output } = yield* launch("serve", environment)
        const loginToken = tokenIn(output())
        assert.include(output(), `Open the console, once and within 15 minutes:\n\n  ${baseUrl}/console/#login=`)
        const other = yield* startServer(environment)
        const attempts = yield* Effect.all(
          [baseUrl, other, baseUrl, other].map((at) => logIn(at, { loginToken })),
          { concurrency: "unbounded" }
        )
        assert.deepStrictEqual(attempts.map(({ status }) => status).sort(), [200, 401, 401, 401])
        for (const { attributes, body, headers, status } of attempts) {
          if (status === 401) {
            assert.deepStrictEqual(body, usedLink)
            continue
          }
          assert.sameMembers(attributes, ["Max-Age=43200", "Path=/", "HttpOnly", "SameSite=Strict"])
          const session = yield* caller(other, null)("GET", "/v1/session", undefined, headers)
          assert.deepStrictEqual(session.body.permissions, { "*": ["*"], system: ["read"] })
          assert.strictEqual(session.body.organization.name, "Switchboard")
          assert.strictEqual(session.body.csrfToken, body.csrfToken)
        }
        assert.deepStrictEqual((yield* logIn(baseUrl, { loginToken: "x" })).body, usedLink)
      }).pipe(Effect.provide(TestDatabaseUrl.Live)),
    300_000
  )

  it.scopedLive(
    "is printed by a command for the oldest key with all permissions, or for another key",
    () =>
      Effect.gen(function* () {
        const environment = yield* prepared
        const commands = { ...environment, PUBLIC_URL: "https://mail.example.net/" }
        const none = 'switchboard: No API key has all permissions: run "switchboard keys create '
        assert.include(yield* failing(["login-link"], commands), none)

        const { baseUrl, output } = yield* launch("serve", { ...environment, HOST: "0.0.0.0" })
        assert.notInclude(output(), "#login=")
        const { stdout } = yield* run(["login-link"], commands)
        assert.match(stdout, /^ {2}https:\/\/mail\.example\.net\/console\/#login=[\w-]{43}$/m)
        const { headers } = yield* logIn(baseUrl, { loginToken: tokenIn(stdout) })
        const call = caller(baseUrl, null)
        const viewer = yield* call("POST", "/v1/api-keys", { name: "Viewer", roleName: "viewer" }, headers)
        const id: string = viewer.body.id
        const second = yield* run(["login-link", "--url", "http://127.0.0.1:3000", id], commands)
        assert.include(second.stdout, "  http://127.0.0.1:3000/console/#login=")
        const ofViewer = yield* logIn(baseUrl, { loginToken: tokenIn(second.stdout) })
        const session = yield* call("GET", "/v1/session", undefined, ofViewer.headers)
        assert.strictEqual(session.body.roleName, "viewer")

        const third = yield* run(["login-link", id], commands)
        yield* caller(baseUrl)("DELETE", `/v1/api-keys/${id}`)
        const late = yield* logIn(baseUrl, { loginToken: tokenIn(third.stdout) })
        assert.deepStrictEqual([late.status, late.body._tag], [401, "UnauthorizedError"])
        const unknown = 'switchboard: No active API key of an organization has this id: run "switchboard keys list"'
        const refused = yield* Effect.forEach([id, adminKey], (key) => failing(["login-link", key], commands))
        for (const text of refused) {
          assert.include(text, unknown)
          assert.notInclude(text, adminKey)
        }
        assert.include(yield* failing(["login-link"], environment), "PORT is 0: pass --url")
      }).pipe(Effect.provide(TestDatabaseUrl.Live)),
    300_000
  )
})
