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

/** An OpenTelemetry collector (OTLP over HTTP, JSON) that stores the received spans. */
export const collector = Effect.acquireRelease(
  Effect.async<{
    readonly url: string
    readonly spans: ReadonlyArray<CollectedSpan>
    readonly close: Effect.Effect<void>
  }>((resume) => {
    const spans: Array<CollectedSpan> = []
    const server = createServer((request, response) => {
      let text = ""
      request.on("data", (chunk) => {
        text += String(chunk)
      })
      request.on("end", () => {
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
      resume(Effect.succeed({ url: `http://127.0.0.1:${port}`, spans, close }))
    })
  }),
  ({ close }) => close
)
