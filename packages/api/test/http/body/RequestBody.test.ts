import { createServer, request } from "node:http"
import { createConnection } from "node:net"
import { HttpRouter, HttpServer, HttpServerRequest, HttpServerResponse } from "@effect/platform"
import { NodeHttpServer } from "@effect/platform-node"
import { assert, layer } from "@effect/vitest"
import { CurrentCaller } from "@switchboard/api/Authorization"
import { BodyBudget } from "@switchboard/api/http/body/BodyBudget"
import { readBody } from "@switchboard/api/http/body/RequestBody"
import { respondError } from "@switchboard/api/http/ErrorResponse"
import { HttpSettings } from "@switchboard/api/http/HttpContext"
import { ApiKeyId } from "@switchboard/domain/apiKeys/ApiKey"
import { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { Context, Effect, Layer, Schema } from "effect"

const mebibyte = 1024 * 1024

/** The default limit of a body. */
const limit = mebibyte

const read = readBody(Schema.Struct({ text: Schema.String }))

const organizations: Readonly<Record<string, string>> = {
  slow: "01a1fc1d-cf8f-76d9-be28-52307925009f",
  other: "01a1fc1d-e1a0-7029-814e-d493ca640e3c"
}

/** The caller of a request, by its query. Authorization is not tested here. */
const callerOf = ({ url }: HttpServerRequest.HttpServerRequest) => ({
  organizationId: OrganizationId.make(organizations[url.split("?")[1] ?? ""] ?? ""),
  apiKeyId: ApiKeyId.make("01a1fc1d-cf9d-766f-8d6a-43d494c1944f"),
  permissions: {},
  request: { method: "POST", endpoint: url, ipAddress: "", userAgent: "", headers: {}, query: {} },
  traceParent: null,
  authenticate: Effect.dieMessage("not used in this test")
})

class BodyServer extends Context.Tag("test/BodyServer")<BodyServer, { readonly port: number }>() {
  static readonly Live = Layer.scoped(
    BodyServer,
    Effect.gen(function* () {
      const server = createServer()
      const handler = Effect.gen(function* () {
        const caller = callerOf(yield* HttpServerRequest.HttpServerRequest)
        return yield* Effect.match(Effect.provideService(read, CurrentCaller, caller), {
          onFailure: respondError,
          onSuccess: ({ text }) => HttpServerResponse.unsafeJson({ length: text.length })
        })
      })
      yield* Layer.build(
        HttpRouter.empty.pipe(
          HttpRouter.post("/v1/messages", handler),
          HttpRouter.post("/small", handler),
          HttpServer.serve(),
          Layer.provide(BodyBudget.Default),
          Layer.provide(
            Layer.succeed(HttpSettings, {
              trustedProxies: [],
              corsOrigins: [],
              accessLog: false,
              bodyMemory: 64 * mebibyte,
              secureCookies: false
            })
          ),
          Layer.provide(NodeHttpServer.layer(() => server, { host: "127.0.0.1", port: 0 }))
        )
      )
      yield* Effect.addFinalizer(() => Effect.sync(() => server.closeAllConnections()))
      const address = server.address()
      return { port: typeof address === "object" && address !== null ? address.port : 0 }
    })
  )
}

interface ApiResponse {
  readonly status: number | undefined
  readonly body: unknown
}

const json = { "Content-Type": "application/json" }

/** Posts a body in pieces, with chunked encoding unless the headers have a length. */
const post = (
  pieces: ReadonlyArray<string | Uint8Array>,
  headers: Readonly<Record<string, string | number>> = json,
  path = "/small?other"
) =>
  Effect.flatMap(BodyServer, ({ port }) =>
    Effect.async<ApiResponse>((resume) => {
      const outgoing = request({ host: "127.0.0.1", port, path, method: "POST", headers }, (response) => {
        const chunks: Array<Buffer> = []
        response.on("data", (chunk: Buffer) => chunks.push(chunk))
        response.on("end", () =>
          resume(
            Effect.succeed({ status: response.statusCode, body: JSON.parse(Buffer.concat(chunks).toString("utf8")) })
          )
        )
      })
      // The response can arrive before the end of the body; writing the rest then fails.
      outgoing.on("error", () => undefined)
      for (const piece of pieces) outgoing.write(piece)
      outgoing.end()
    })
  )

/** A client that sends only the beginning of a large body. */
const stall = (path: string) =>
  Effect.flatMap(BodyServer, ({ port }) =>
    Effect.acquireRelease(
      Effect.async<ReturnType<typeof createConnection>>((resume) => {
        const socket = createConnection({ host: "127.0.0.1", port })
        socket.on("error", () => undefined)
        socket.write(
          `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${2 * mebibyte}\r\n\r\n{`,
          () => resume(Effect.succeed(socket))
        )
      }),
      (socket) => Effect.sync(() => socket.destroy())
    )
  )

const isAccepted = ({ status }: ApiResponse) => status === 200

const large = JSON.stringify({ text: "x".repeat(2 * mebibyte) })
const malformed = (message: string) => ({ status: 400, body: { _tag: "BadRequestError", message } })
const tooLarge = {
  status: 413,
  body: { _tag: "PayloadTooLargeError", message: `The body is larger than ${limit} bytes`, limitBytes: limit }
}

layer(BodyServer.Live, { excludeTestServices: true })("readBody", (it) => {
  it.effect("accepts a body in pieces that split a character", () =>
    Effect.gen(function* () {
      const bytes = new TextEncoder().encode('{"text":"\u00fc\ud83d\ude00"}')
      const pieces = Array.from(bytes, (_, at) => bytes.slice(at, at + 1))
      assert.deepStrictEqual(yield* post(pieces), { status: 200, body: { length: 3 } })
    })
  )

  it.effect.each(["application/json", "application/json; charset=utf-8", 'Application/JSON;charset="UTF-8"'])(
    "accepts the content type %s",
    (type) =>
      Effect.gen(function* () {
        assert.strictEqual((yield* post(['{"text":""}'], { "Content-Type": type })).status, 200)
      })
  )

  it.effect.each([
    "text/plain",
    "application/jsonp",
    "application/json; charset=latin1",
    "multipart/form-data; boundary=application/json"
  ])("rejects the content type %s", (type) =>
    Effect.gen(function* () {
      const response = yield* post(['{"text":""}'], { "Content-Type": type })
      assert.deepStrictEqual(response, malformed("The Content-Type must be application/json"))
    })
  )

  it.effect("rejects a missing Content-Type and a Content-Encoding", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* post(["{}"], {}), malformed("The Content-Type must be application/json"))
      assert.deepStrictEqual(
        yield* post(["{}"], { ...json, "Content-Encoding": "gzip" }),
        malformed("The body must not have a Content-Encoding")
      )
    })
  )

  it.effect("rejects a too large Content-Length without reading the body", () =>
    Effect.gen(function* () {
      const text = yield* Effect.flatMap(BodyServer, ({ port }) =>
        Effect.async<string>((resume) => {
          const socket = createConnection({ host: "127.0.0.1", port })
          socket.on("data", (chunk) => {
            resume(Effect.succeed(chunk.toString("latin1")))
            socket.destroy()
          })
          socket.write(
            `POST /small?other HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${limit + 1}\r\n\r\n`
          )
        })
      )
      assert.match(text, /^HTTP\/1\.1 413 /)
    })
  )

  it.effect("accepts a body at the limit, and rejects one more byte in chunked encoding", () =>
    Effect.gen(function* () {
      const frame = '{"text":""}'.length
      const filled = (size: number) => ['{"text":"', "x".repeat(size - frame), '"}']
      assert.deepStrictEqual(yield* post(filled(limit)), { status: 200, body: { length: limit - frame } })
      assert.deepStrictEqual(yield* post(filled(limit + 1)), tooLarge)
    })
  )

  it.effect("does not delay uploads of other organizations by slow ones", () =>
    Effect.scoped(
      Effect.gen(function* () {
        yield* Effect.forEach(Array.from({ length: 20 }), () => stall("/v1/messages?slow"))
        // Bodies that are parsed at the same moment can exceed the memory, and are sent again.
        const upload = Effect.repeat(post([large], json, "/v1/messages?other"), { until: isAccepted })
        const responses = yield* Effect.replicateEffect(upload, 12, { concurrency: "unbounded" })
        assert.lengthOf(responses, 12)
      })
    )
  )

  it.effect("accepts large bodies after slow ones have ended", () =>
    Effect.gen(function* () {
      yield* Effect.scoped(Effect.forEach(Array.from({ length: 20 }), () => stall("/v1/messages?slow")))
      // The server sees the connections close after their clients do.
      assert.isTrue(isAccepted(yield* Effect.repeat(post([large], json, "/v1/messages?slow"), { until: isAccepted })))
    })
  )
})
