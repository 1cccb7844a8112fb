import { execFileSync, spawnSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { assert, describe, layer, it as test } from "@effect/vitest"
import { freePort } from "@switchboard/domain/testing/FreePort"
import { skipWithout } from "@switchboard/domain/testing/Programs"
import { repositoryFile } from "@switchboard/domain/testing/RepositoryFile"
import { TestDatabaseUrl } from "@switchboard/store/testing/TestDatabase"
import { Context, Effect, Layer, Redacted } from "effect"
import { caller, send, temporaryFolder, until } from "./LiveService.js"
import { base, launch } from "./ServiceProcess.js"
import { smtpSink } from "./SmtpSink.js"

/** A process with METRICS_PORT: the metrics of other services are not among its own. */
class Measured extends Context.Tag("test/Measured")<
  Measured,
  { readonly baseUrl: string; readonly metricsUrl: string; readonly relay: string }
>() {
  static readonly Live = Layer.scoped(
    Measured,
    Effect.gen(function* () {
      const port = String(yield* freePort)
      const sink = yield* smtpSink
      const { baseUrl } = yield* launch("serve", {
        ...base(yield* temporaryFolder),
        DATABASE_URL: Redacted.value(yield* TestDatabaseUrl),
        SMTP_URL: `smtp://127.0.0.1:${sink.port}`,
        SMTP_CONFIRMATION: "accept",
        METRICS_PORT: port
      })
      return { baseUrl, metricsUrl: `http://127.0.0.1:${port}`, relay: `127.0.0.1:${sink.port}` }
    })
  ).pipe(Layer.provide(TestDatabaseUrl.Live))
}

/** The metrics that the alert rules and the dashboard read. */
const monitored = ["prometheus/alerts.yaml", "grafana/dashboard.json"].flatMap((name) =>
  [...readFileSync(repositoryFile(`packages/server/deploy/${name}`), "utf8").matchAll(/switchboard_\w+/g)].map(
    ([used]) => used.replace(/_(?:bucket|count|sum)$/, "")
  )
)

const noPromtool = skipWithout("promtool", "prometheus")

describe.skipIf(noPromtool !== "")(`The alert rules${noPromtool}`, () => {
  test("alert in an outage, and not before", () => {
    const file = repositoryFile("packages/server/deploy/prometheus/alerts.test.yaml")
    assert.include(execFileSync("promtool", ["test", "rules", file], { encoding: "utf8" }), "SUCCESS")
  })
})

layer(Measured.Live, { excludeTestServices: true })("Metrics", (it) => {
  it.effect("with METRICS_PORT are served on that port on loopback, with liveness and readiness", () =>
    Effect.gen(function* () {
      const { baseUrl, metricsUrl } = yield* Measured
      const statusOf = (url: string) => Effect.promise(() => fetch(url).then(({ status }) => status))
      for (const path of ["/metrics", "/healthz", "/readyz"]) {
        assert.strictEqual(yield* statusOf(`${metricsUrl}${path}`), 200)
      }
      assert.strictEqual(yield* statusOf(`${baseUrl}/metrics`), 404)
      assert.strictEqual(yield* statusOf(`${baseUrl}/healthz`), 200)
      assert.strictEqual(
        yield* Effect.flip(
          Effect.tryPromise(() => fetch(`${metricsUrl.replace("127.0.0.1", "127.0.0.2")}/metrics`))
        ).pipe(Effect.as("refused")),
        "refused"
      )
    })
  )

  it.effect("count requests, waits and outcomes, with help and units", () =>
    Effect.gen(function* () {
      const { baseUrl, metricsUrl, relay } = yield* Measured
      const call = caller(baseUrl)
      const text = Effect.promise(() => fetch(`${metricsUrl}/metrics`).then((response) => response.text()))
      const { body } = yield* call("POST", "/v1/messages", send())
      yield* call("POST", "/v1/messages", send({ to: [{ email: "perm550@example.com" }] }))
      yield* call("GET", "/v1/messages/unknown")
      yield* until(call("GET", `/v1/messages/${body.id}`), (message) => message.body.status === "delivered")
      const sample = (pattern: RegExp) => until(text, (found) => pattern.test(found))
      yield* sample(/^switchboard_message_outcomes_total\{channel="email",status="delivered",code=""\} 1$/m)
      yield* sample(/^switchboard_message_outcomes_total\{channel="email",status="(?:failed|bounced)",code="\w+"\} 1$/m)
      const found = yield* text
      assert.match(
        found,
        /^switchboard_http_request_duration_seconds_count\{method="POST",route="\/v1\/messages",status="201"\} 2$/m
      )
      assert.match(
        found,
        /^switchboard_http_request_duration_seconds_bucket\{method="GET",route="\/v1\/messages\/:id",status="400",le="\+Inf"\} 1$/m
      )
      assert.match(found, /^switchboard_queue_wait_seconds_count\{channel="email"\} 2$/m)
      assert.match(found, /^switchboard_accept_duration_seconds_count 2$/m)
      for (const step of ["connect", "greeting", "ehlo", "mail", "rcpt", "data", "dot"]) {
        const count = `switchboard_smtp_step_duration_seconds_count\\{step="${step}",relay="${relay}"\\} [1-9]`
        assert.match(found, new RegExp(`^${count}`, "m"))
      }
      for (const pool of ["main", "work"]) {
        const count = `switchboard_database_statement_duration_seconds_count\\{pool="${pool}"\\} [1-9]`
        assert.match(found, new RegExp(`^${count}`, "m"))
        for (const name of ["used", "waiting"]) {
          assert.match(found, new RegExp(`^switchboard_database_connections_${name}\\{pool="${pool}"\\} \\d+$`, "m"))
        }
      }
      // DATABASE_POOL_SIZE is 14.
      assert.match(found, /^switchboard_database_connections_max\{pool="main"\} 10$/m)
      assert.match(found, /^switchboard_database_connections_max\{pool="work"\} 4$/m)
      assert.include(found, `\nswitchboard_relay_paused{channel="email",relay="${relay}"} 0\n`)
      assert.match(found, /^switchboard_event_loop_busy_seconds \d/m)
      if (noPromtool === "") assert.strictEqual(spawnSync("promtool", ["check", "metrics"], { input: found }).status, 0)
      const documented = new Set([...found.matchAll(/^# HELP (\S+) \S.*$/gm)].map(([, name]) => name))
      for (const [, name] of found.matchAll(/^# TYPE (\S+) /gm)) assert.isTrue(documented.has(name), name)
      // Absent until the first webhook, refusal and unreadable row, and with a relay.
      const later = new Set([
        "switchboard_webhook_attempts_total",
        "switchboard_rate_limited_total",
        "switchboard_unreadable_rows_total",
        "switchboard_destinations_paused"
      ])
      assert.isAbove(monitored.length, 20)
      for (const name of monitored) assert.isTrue(documented.has(name) || later.has(name), name)
    })
  )
})
