import { assert, layer } from "@effect/vitest"
import { queueNames } from "@switchboard/domain/system/SystemStatus"
import { freePort } from "@switchboard/domain/testing/FreePort"
import { Effect, Layer } from "effect"
import { adminKey, caller, LiveService, type ServiceResponse, send, until } from "./LiveService.js"
import { outputOf, runCommand } from "./TestCommand.js"

/** The service with a relay that refuses connections. */
const Operated = Layer.unwrapEffect(
  Effect.map(freePort, (port) =>
    LiveService.layer({ DNS_SERVERS: "127.0.0.1:9", SMTP_URL: `smtp://127.0.0.1:${port}` })
  )
)

const call = (method: string, path: string, body?: unknown, key = adminKey) =>
  Effect.flatMap(LiveService, ({ baseUrl }) => caller(baseUrl, key)(method, path, body))

/** Creates a key over HTTP, and returns its value. */
const createdKey = (grant: object) =>
  Effect.map(call("POST", "/v1/api-keys", { name: "A key", ...grant }), ({ body, status }): string => {
    assert.strictEqual(status, 201, JSON.stringify(body))
    return body.key
  })

/** Creates a key of the first organization on the command line. */
const commandKey = (...options: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const { environment } = yield* LiveService
    const args = ["keys", "create", "--name", "Operator", "--organization", "default", ...options]
    const { stdout } = yield* runCommand(args, environment)
    return /sk_sm_\w+/.exec(stdout)?.[0] ?? ""
  })

layer(Operated, { excludeTestServices: true })("GET /v1/system", (it) => {
  it.effect("responds with the queues, the relay and the findings of doctor", () =>
    Effect.gen(function* () {
      const relay = (yield* LiveService).environment.SMTP_URL?.replace("smtp://", "")
      const { body, status } = yield* call("GET", "/v1/system")
      assert.strictEqual(status, 200, JSON.stringify(body))
      assert.deepStrictEqual(
        body.queues.map(({ queue }: { readonly queue: string }) => queue),
        [...queueNames]
      )
      assert.deepStrictEqual(body.relays, [
        { channel: "email", relay, state: "closed", nextAttemptAt: null },
        { channel: "sms", relay: "local handset", state: "closed", nextAttemptAt: null },
        { channel: "whatsapp", relay: "local handset", state: "closed", nextAttemptAt: null }
      ])
      const finding = (subject: string) =>
        body.findings.find((one: { readonly subject: string }) => one.subject === subject)
      assert.deepStrictEqual(finding("Database schema"), { level: "ok", subject: "Database schema" })
      const { advice, level } = finding(`Relay ${relay}`)
      assert.strictEqual(level, "error")
      assert.include(advice.join("\n"), "Check SMTP_URL")
    })
  )

  it.effect("has the same findings as the command", () =>
    Effect.gen(function* () {
      const { environment } = yield* LiveService
      const { body } = yield* call("GET", "/v1/system")
      const stdout = yield* outputOf(["doctor"], environment)
      const printed = stdout.split("\n").flatMap((line) => /^(ok|warning|error) +(.*)$/.exec(line)?.slice(1, 3) ?? [])
      assert.deepStrictEqual(
        printed,
        body.findings.flatMap(({ level, subject }: { readonly level: string; readonly subject: string }) => [
          level,
          subject
        ])
      )
    })
  )

  it.effect("shows the open circuit breaker and the waiting message of a relay that can't be reached", () =>
    Effect.gen(function* () {
      yield* call("POST", "/v1/messages", send())
      const { body } = yield* until(
        call("GET", "/v1/system"),
        ({ body }: ServiceResponse) => body.relays[0].state !== "closed"
      )
      assert.include(["open", "half_open"], body.relays[0].state)
      assert.isString(body.relays[0].nextAttemptAt)
      yield* until(call("GET", "/v1/system"), ({ body }: ServiceResponse) => {
        const [{ leased, ready, waiting }] = body.queues
        return ready + leased + waiting === 1
      })
    })
  )

  it.effect("requires system.read, which neither * nor a role includes, and no key can grant over HTTP", () =>
    Effect.gen(function* () {
      const grants = [{ permissions: { "*": ["*"] } }, { permissions: { "*": ["read"] } }, { roleName: "admin" }]
      const keys = [...(yield* Effect.forEach(grants, createdKey)), yield* commandKey()]
      for (const key of keys) {
        const { body, status } = yield* call("GET", "/v1/system", undefined, key)
        const message = "The API key lacks the permission system.read"
        assert.deepStrictEqual([status, body], [403, { _tag: "ForbiddenError", message }])
      }
      const operator = yield* commandKey("--role", "viewer", "--system")
      assert.strictEqual((yield* call("GET", "/v1/system", undefined, operator)).status, 200)
      assert.strictEqual((yield* call("GET", "/v1/messages", undefined, operator)).status, 200)

      const [all = ""] = keys
      const { body: other } = yield* call("POST", "/v1/api-keys", { name: "Other", roleName: "viewer" })
      for (const key of [adminKey, all]) {
        for (const permissions of [{ system: ["read"] }, { system: ["*"] }, { "*": ["*"], system: ["read"] }]) {
          const created = yield* call("POST", "/v1/api-keys", { name: "System", permissions }, key)
          assert.match(created.body.message, /system\.read.*switchboard keys create --system/)
          const changed = yield* call("PATCH", `/v1/api-keys/${other.id}`, { permissions }, key)
          for (const { status } of [created, changed]) assert.strictEqual(status, 403)
        }
      }
      const { body } = yield* call("GET", "/v1/api-keys?limit=100")
      const first = body.items.find(({ name }: { readonly name: string }) => name === "First admin key")
      assert.strictEqual((yield* call("POST", `/v1/api-keys/${first.id}/rotate`, {}, all)).status, 403)
      const edited = yield* call("PATCH", `/v1/api-keys/${first.id}`, { roleName: "admin" })
      assert.deepStrictEqual(edited.body.permissions, { "*": ["*"], system: ["read"] })
    })
  )
})
