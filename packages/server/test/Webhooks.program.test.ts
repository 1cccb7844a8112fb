import { assert, layer } from "@effect/vitest"
import { type Received, receiver } from "@switchboard/channels/testing/webhooks/Receiver"
import { TestDatabaseUrl } from "@switchboard/store/testing/TestDatabase"
import { Array, Deferred, Effect, Redacted } from "effect"
import { caller, temporaryFolder, until } from "./LiveService.js"
import { base, ended, launch } from "./ServiceProcess.js"

const settings = {
  NETWORK_ALLOW: "127.0.0.0/8",
  WEBHOOK_RETRY_SCHEDULE: Array.replicate("50 millis", 9).join(", "),
  LEASE_DURATION: "2 seconds"
}

const idOf = ({ body }: Received): string => JSON.parse(body).id

layer(TestDatabaseUrl.Live, { excludeTestServices: true })("A killed worker", (it) => {
  it.scoped("repeats only the event whose response it had not committed, and loses none", () =>
    Effect.gen(function* () {
      const environment = {
        ...base(yield* temporaryFolder),
        ...settings,
        DATABASE_URL: Redacted.value(yield* TestDatabaseUrl),
        SMTP_CONFIRMATION: "accept",
        SMTP_URL: "smtp://127.0.0.1:1"
      }
      const api = yield* launch("api", environment)
      const call = caller(api.baseUrl)
      const came = yield* Deferred.make<void>()
      const hook = yield* receiver((response) => {
        // The worker is killed before it receives the response: the outcome is unknown.
        Deferred.unsafeDone(came, Effect.void)
        response.end()
      })
      yield* call("POST", "/v1/webhook-endpoints", { name: "x", url: hook.url, events: ["api_key.created"] })
      const first = yield* launch("worker", environment)
      const killed = yield* Effect.fork(
        Effect.zipRight(
          Deferred.await(came),
          Effect.sync(() => first.child.kill("SIGKILL"))
        )
      )
      yield* call("POST", "/v1/api-keys", { name: "one", roleName: "viewer" })
      yield* killed
      yield* ended(first.child)
      const before = hook.received.length
      yield* Effect.replicateEffect(call("POST", "/v1/api-keys", { name: "more", roleName: "viewer" }), 20)
      yield* launch("worker", environment)
      const idsOf = Effect.sync(() => hook.received.map((request) => idOf(request)))
      const ids = yield* until(idsOf, (all) => new Set(all).size === 21)
      assert.strictEqual(before, 1)
      yield* until(
        Effect.flatMap(call("GET", "/v1/webhook-endpoints"), ({ body }) =>
          Effect.map(call("GET", `/v1/webhook-endpoints/${body.items[0].id}/stats`), (stats) => stats.body)
        ),
        ({ pending }) => pending === 0
      )
      assert.isAtMost(hook.received.length, 22)
      assert.isAtMost(ids.filter((id) => id === ids[0]).length, 2)
    })
  )
})
