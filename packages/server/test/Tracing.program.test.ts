import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { type CollectedSpan, collector } from "./Collector.js"
import { adminKey, caller, send, until } from "./LiveService.js"
import { smtpSink } from "./SmtpSink.js"
import { newDatabase, startService, testSettings } from "./TestService.js"

/** A service with or without a collector of traces. */
const service = (settings: Readonly<Record<string, string>>) =>
  Effect.gen(function* () {
    const { port } = yield* smtpSink
    const { baseUrl } = yield* startService({
      ...testSettings(yield* newDatabase, adminKey),
      SMTP_URL: `smtp://127.0.0.1:${port}`,
      SMTP_CONFIRMATION: "accept",
      ...settings
    })
    return { baseUrl, call: caller(baseUrl) }
  })

type Service = Effect.Effect.Success<ReturnType<typeof service>>

const deliver = ({ call }: Service, headers: Readonly<Record<string, string>> = {}) =>
  Effect.gen(function* () {
    const { body } = yield* call("POST", "/v1/messages", send(), headers)
    yield* until(call("GET", `/v1/messages/${body.id}`), (response) => response.body.status === "delivered")
    const id: string = body.id
    return id
  })

const attribute = (span: CollectedSpan, name: string) => span.attributes.find(({ key }) => key === name)?.value

const isDeliveryOf = (id: string) => (span: CollectedSpan) =>
  span.name === "Deliveries.attempt" &&
  JSON.stringify(attribute(span, "messaging.message.id")) === JSON.stringify({ stringValue: id })

describe("Traces", () => {
  it.scopedLive("follow one message from its request through the queue to the relay, without other spans", () =>
    Effect.gen(function* () {
      const { authorization, metrics, spans, url } = yield* collector
      // The remaining spans are exported at the stop.
      const id = yield* Effect.scoped(
        Effect.gen(function* () {
          const traced = yield* service({
            OTEL_EXPORTER_OTLP_ENDPOINT: url,
            OTEL_EXPORTER_OTLP_HEADERS: "Authorization=Bearer%20token",
            OTEL_SERVICE_NAME: "mail"
          })
          yield* Effect.promise(() => fetch(`${traced.baseUrl}/readyz`).then((response) => response.text()))
          return yield* deliver(traced)
        })
      )
      const attempt = spans.find(isDeliveryOf(id))
      const accepting = spans.find(({ spanId }) => spanId === attempt?.parentSpanId)
      assert.strictEqual(accepting?.name, "http.server POST")
      assert.strictEqual(accepting?.traceId, attempt?.traceId)
      const known = new Set(spans.map(({ spanId }) => spanId))
      for (const { name, parentSpanId } of spans) {
        assert.isTrue(parentSpanId === undefined ? /^http\.server (?:GET|POST)$/.test(name) : known.has(parentSpanId))
      }
      assert.notInclude(JSON.stringify(spans), adminKey)
      assert.notInclude(JSON.stringify(spans), "readyz")

      const last = metrics.at(-1)
      const attributes = new Map(last?.resource.attributes.map(({ key, value }) => [key, value]))
      assert.deepStrictEqual(attributes.get("service.name"), { stringValue: "mail" })
      assert.match(JSON.stringify(attributes.get("service.instance.id")), new RegExp(`:${process.pid}"`))
      const names = new Set(last?.scopeMetrics.flatMap((scope) => scope.metrics.map(({ name }) => name)))
      for (const name of ["message_outcomes_total", "database_connections_used", "queue_ready"]) {
        assert.isTrue(names.has(`switchboard_${name}`), name)
      }
      assert.deepStrictEqual([...authorization].sort(), ["/v1/metrics Bearer token", "/v1/traces Bearer token"])
    })
  )

  it.scopedLive("continue the caller's trace, and are absent if that is not sampled", () =>
    Effect.gen(function* () {
      const { spans, url } = yield* collector
      const traced = yield* service({ OTEL_EXPORTER_OTLP_ENDPOINT: url })
      const [traceId, spanId] = ["0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331"]
      const unsampled = yield* deliver(traced, { traceparent: `00-${"1".repeat(32)}-${"2".repeat(16)}-00` })
      const id = yield* deliver(traced, { traceparent: `00-${traceId}-${spanId}-01` })
      const [attempt] = yield* until(
        Effect.sync(() => spans.filter(isDeliveryOf(id))),
        (found) => found.length === 1
      )
      assert.strictEqual(attempt?.traceId, traceId)
      assert.strictEqual(spans.find((span) => span.spanId === attempt?.parentSpanId)?.parentSpanId, spanId)
      assert.isFalse(spans.some(isDeliveryOf(unsampled)))
      assert.isFalse(spans.some((span) => span.traceId === "1".repeat(32)))
    })
  )

  it.scopedLive("do not affect requests while the collector is down, and are absent without a collector", () =>
    Effect.gen(function* () {
      const { close, spans, url } = yield* collector
      yield* close
      yield* deliver(yield* service({ OTEL_EXPORTER_OTLP_ENDPOINT: url }))
      const untraced = yield* service({})
      // Without a collector the caller's trace is not stored with the message.
      yield* deliver(untraced, { traceparent: `00-${"1".repeat(32)}-${"2".repeat(16)}-01` })
      assert.deepStrictEqual(spans, [])
    })
  )
})
