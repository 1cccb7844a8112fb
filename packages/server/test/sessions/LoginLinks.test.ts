import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { collectingConsole } from "../CollectingConsole.js"
import { adminKey, caller, until } from "../LiveService.js"
import { failingCommand, runCommand } from "../TestCommand.js"
import { newDatabase, startService, testSettings } from "../TestService.js"
import { logIn } from "./Browser.js"

const tokenIn = (output: string) => /\/console\/#login=([\w-]{43})$/m.exec(output)?.[1] ?? "no link"

const usedLink = {
  _tag: "UnauthorizedError",
  message: 'The log-in link was used before or is older than 15 minutes: run "switchboard login-link" for a new one'
}

/** The settings of a service with a new database. */
const prepared = Effect.map(newDatabase, (url) => testSettings(url, adminKey))

/** Starts the service; returns its output until then. */
const started = Effect.fnUntraced(function* (settings: Readonly<Record<string, string>>) {
  const collecting = collectingConsole()
  const { baseUrl } = yield* startService(settings, undefined, collecting)
  return { baseUrl, output: collecting.output().stdout }
})

describe("A log-in link", () => {
  it.scopedLive("is printed by the first start on loopback, and logs one browser in, also of several processes", () =>
    Effect.gen(function* () {
      const environment = yield* prepared
      const { baseUrl, output } = yield* started(environment)
      const loginToken = tokenIn(output)
      assert.include(output, `Open the console, once and within 15 minutes:\n\n  ${baseUrl}/console/#login=`)
      const { baseUrl: other } = yield* startService(environment)
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
    })
  )

  it.scopedLive("is printed by a command for the oldest key with all permissions, or for another key", () =>
    Effect.gen(function* () {
      const environment = yield* prepared
      const commands = { ...environment, PUBLIC_URL: "https://mail.example.net/" }
      const none = 'switchboard: No API key has all permissions: run "switchboard keys create '
      assert.include(yield* failingCommand(["login-link"], commands), none)

      const { baseUrl, output } = yield* started({ ...environment, HOST: "0.0.0.0" })
      assert.notInclude(output, "#login=")
      const { stdout } = yield* runCommand(["login-link"], commands)
      assert.match(stdout, /^ {2}https:\/\/mail\.example\.net\/console\/#login=[\w-]{43}$/m)
      const { headers } = yield* logIn(baseUrl, { loginToken: tokenIn(stdout) })
      const call = caller(baseUrl, null)
      const viewer = yield* call("POST", "/v1/api-keys", { name: "Viewer", roleName: "viewer" }, headers)
      const id: string = viewer.body.id
      const second = yield* runCommand(["login-link", "--url", "http://127.0.0.1:3000", id], commands)
      assert.include(second.stdout, "  http://127.0.0.1:3000/console/#login=")
      const ofViewer = yield* logIn(baseUrl, { loginToken: tokenIn(second.stdout) })
      const session = yield* call("GET", "/v1/session", undefined, ofViewer.headers)
      assert.strictEqual(session.body.roleName, "viewer")

      const third = yield* runCommand(["login-link", id], commands)
      yield* caller(baseUrl)("DELETE", `/v1/api-keys/${id}`)
      // The state of a key is cached for a moment.
      yield* until(call("GET", "/v1/messages", undefined, ofViewer.headers), ({ status }) => status === 401)
      const late = yield* logIn(baseUrl, { loginToken: tokenIn(third.stdout) })
      assert.deepStrictEqual([late.status, late.body._tag], [401, "UnauthorizedError"])
      const unknown = 'switchboard: No active API key of an organization has this id: run "switchboard keys list"'
      const refused = yield* Effect.forEach([id, adminKey], (key) => failingCommand(["login-link", key], commands))
      for (const text of refused) {
        assert.include(text, unknown)
        assert.notInclude(text, adminKey)
      }
      assert.include(yield* failingCommand(["login-link"], environment), "PORT is 0: pass --url")
    })
  )
})
