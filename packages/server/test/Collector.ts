import { createServer } from "node:http"
import { Effect, Schema } from "effect"

const Attribute = Schema.Struct({ key: Schema.String, value: Schema.Unknown })

const Span = Schema.Struct({
  traceId: Schema.String,
  spanId: Schema.String,
  parentSpanId: Schema.optional(Schema.String),
  name: Schema.String,
  attributes: Schema.Array(Attribute)
})

/** A received span. */
export type CollectedSpan = typeof Span.Type

const decode = Schema.decodeUnknownSync(
  Schema.parseJson(
    Schema.Struct({
      resourceSpans: Schema.Array(
        Schema.Struct({ scopeSpans: Schema.Array(Schema.Struct({ spans: Schema.Array(Span) })) })
      )
    })
  )
)

/** A received metric, with its attributes. */
const Metrics = Schema.parseJson(
  Schema.Struct({
    resourceMetrics: Schema.Array(
      Schema.Struct({
        resource: Schema.Struct({ attributes: Schema.Array(Attribute) }),
        scopeMetrics: Schema.Array(
          Schema.Struct({ metrics: Schema.Array(Schema.Struct({ name: Schema.String, description: Schema.String })) })
        )
      })
    )
  })
)

const decodeMetrics = Schema.decodeUnknownSync(Metrics)

/** An OpenTelemetry collector (OTLP over HTTP, JSON) that stores the received spans, metrics and headers. */
export const collector = Effect.acquireRelease(
  Effect.async<{
    readonly url: string
    readonly spans: ReadonlyArray<CollectedSpan>
    readonly metrics: ReadonlyArray<(typeof Metrics.Type)["resourceMetrics"][number]>
    /** The header `authorization` of each request, by path. */
    readonly authorization: ReadonlySet<string>
    readonly close: Effect.Effect<void>
  }>((resume) => {
    const spans: Array<CollectedSpan> = []
    const metrics: Array<(typeof Metrics.Type)["resourceMetrics"][number]> = []
    const authorization = new Set<string>()
    const server = createServer((request, response) => {
      let text = ""
      request.on("data", (chunk) => {
        text += String(chunk)
      })
      request.on("end", () => {
        authorization.add(`${request.url} ${request.headers.authorization}`)
        if (request.url === "/v1/metrics") metrics.push(...decodeMetrics(text).resourceMetrics)
        if (request.method === "POST" && request.url === "/v1/traces") {
          for (const { scopeSpans } of decode(text).resourceSpans) {
            for (const scope of scopeSpans) spans.push(...scope.spans)
          }
        }
        response.writeHead(200, { "Content-Type": "application/json" }).end("{}")
      })
    })
    server.listen(0, "127.0.0.1", () => {
      const address = server.address()
      const port = typeof address === "object" && address !== null ? address.port : 0
      const close = Effect.async<void>((done) => {
        server.close(() => done(Effect.void))
        server.closeAllConnections()
      })
      resume(Effect.succeed({ url: `http://127.0.0.1:${port}`, spans, metrics, authorization, close }))
    })
  }),
  ({ close }) => close
)
