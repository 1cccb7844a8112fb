import { once } from "node:events"
import { connect, type Socket } from "node:net"
import { assert, layer } from "@effect/vitest"
import { Array, Effect } from "effect"
import { adminKey, LiveService, metricsText, until } from "./LiveService.js"

const mebibyte = 1024 * 1024

const opened = Effect.acquireRelease(
  Effect.flatMap(LiveService, ({ baseUrl }) =>
    Effect.promise(async () => {
      const { hostname, port } = new URL(baseUrl)
      const socket = connect({ host: hostname, port: Number(port) })
      socket.on("error", () => undefined)
      await once(socket, "connect")
      return socket
    })
  ),
  (socket) => Effect.sync(() => socket.destroy())
)

/** The received text up to `ending`. */
const received = (socket: Socket, ending: RegExp) =>
  Effect.async<string>((resume) => {
    let text = ""
    socket.on("data", (chunk) => {
      text += String(chunk)
      if (ending.test(text)) resume(Effect.succeed(text))
    })
    socket.on("close", () => resume(Effect.succeed(text)))
  })

const exchange = (request: string, ending = /\}$/) =>
  Effect.scoped(
    Effect.flatMap(opened, (socket) => {
      socket.write(request)
      return received(socket, ending)
    })
  )

/** Status code and body of a response. */
const parsed = (text: string) => [
  Number(text.slice(9, 12)),
  JSON.parse(text.slice(text.indexOf("\r\n\r\n") + 4) || "null")
]

/** A request with only the beginning of its body. */
const unfinished = (path: string, length: number, key: string) =>
  Effect.tap(opened, (socket) =>
    Effect.sync(() => {
      socket.write(
        `POST ${path} HTTP/1.1\r\nHost: x\r\nX-API-Key: ${key}\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n{`
      )
    })
  )

const reservedBytes = Effect.map(metricsText, (text) =>
  Number(/^switchboard_request_body_bytes (\d+)$/m.exec(text)?.[1])
)

layer(LiveService.layer({ BODY_MEMORY: "64", RATE_LIMIT_FAILURES: "2", TRUSTED_PROXIES: "127.0.0.1/32" }), {
  excludeTestServices: true
})("The service", (it) => {
  it.scoped("buffers incomplete bodies in at most half of BODY_MEMORY, and refuses others", () =>
    Effect.gen(function* () {
      const { call } = yield* LiveService
      const sockets = yield* Effect.replicateEffect(unfinished("/v1/messages", mebibyte, adminKey), 500)
      const refused: Array<string> = []
      yield* Effect.forkScoped(
        Effect.forEach(
          sockets,
          (socket) =>
            Effect.map(received(socket, /\}$/), (text) => text.startsWith("HTTP/1.1 503 ") && refused.push(text)),
          { concurrency: "unbounded", discard: true }
        )
      )
      yield* until(reservedBytes, (bytes) => bytes === 32 * mebibyte)
      assert.strictEqual((yield* call("POST", "/v1/session", { apiKey: adminKey })).status, 200)
      // A body that times out after 30 seconds frees memory for a waiting one: the number of refusals depends on timing.
      yield* until(
        Effect.sync(() => refused.length),
        (count) => count > 0
      )
      assert.isAtMost(yield* reservedBytes, 32 * mebibyte)
      for (const text of refused) {
        assert.match(text, /\r\nretry-after: 1\r\n/i)
        assert.strictEqual(parsed(text)[1]._tag, "ServiceUnavailableError")
        assert.match(text, /\r\nx-request-id: /i)
      }
    })
  )

  it.scoped("accepts at most a few KiB without an API key", () =>
    Effect.gen(function* () {
      yield* until(reservedBytes, (bytes) => bytes === 0)
      yield* Effect.replicateEffect(unfinished("/v1/session", 4_096, ""), 500)
      yield* until(reservedBytes, (bytes) => bytes === 500 * 4_096)
      const [large] = yield* Effect.replicateEffect(unfinished("/v1/session", 4_097, ""), 1)
      const text = large === undefined ? "" : yield* received(large, /\}$/)
      const [status, body] = parsed(text)
      assert.deepStrictEqual([status, body._tag, body.limitBytes], [413, "PayloadTooLargeError", 4_096])
    })
  )

  it.scoped("sends 100 Continue after it has checked API key and size", () =>
    Effect.gen(function* () {
      const head = (key: string, length: number) =>
        `POST /v1/session HTTP/1.1\r\nHost: x\r\nX-API-Key: ${key}\r\nContent-Type: application/json\r\nExpect: 100-continue\r\nContent-Length: ${length}\r\n\r\n`
      const send = head(adminKey, 2).replace("/v1/session", "/v1/messages")
      assert.match(yield* exchange(send.replace(adminKey, "none")), /^HTTP\/1\.1 401 /)
      assert.match(yield* exchange(send.replace("Length: 2", "Length: 99999999")), /^HTTP\/1\.1 413 /)
      assert.match(yield* exchange(head("", 4_097)), /^HTTP\/1\.1 413 /)
      const socket = yield* opened
      socket.write(send)
      assert.strictEqual(yield* received(socket, /\r\n\r\n$/), "HTTP/1.1 100 Continue\r\n\r\n")
      socket.write("{}")
      assert.match(yield* received(socket, /\}$/), /^HTTP\/1\.1 422 /)
    })
  )

  it.scoped("responds with a tagged body to a request without Host, and to an unknown expectation", () =>
    Effect.gen(function* () {
      const noHost = yield* exchange(`GET /healthz HTTP/1.1\r\n\r\n`)
      const missing = { _tag: "BadRequestError", message: "The header Host is missing" }
      assert.deepStrictEqual(parsed(noHost), [400, missing])
      const unknown = yield* exchange(`GET /healthz HTTP/1.1\r\nHost: x\r\nExpect: magic\r\n\r\n`)
      const unmet = { _tag: "BadRequestError", message: "The header Expect must be 100-continue" }
      assert.deepStrictEqual(parsed(unknown), [417, unmet])
      assert.match(yield* exchange("GET /healthz HTTP/1.0\r\n\r\n"), /^HTTP\/1\.1 200 /)
    })
  )

  it.effect("limits failed authentications per address, but not valid keys", () =>
    Effect.gen(function* () {
      const { call } = yield* LiveService
      const attempt = (address: string, key: string) =>
        call("GET", "/v1/messages?limit=1", undefined, { "X-Forwarded-For": address, "X-API-Key": key })
      const wrong = `sk_sm_${"B".repeat(40)}`
      const failures = yield* Effect.forEach(Array.range(1, 40), () => attempt("192.0.2.1", wrong), {
        concurrency: "unbounded"
      })
      const limited = failures.filter(({ status }) => status === 429)
      assert.isAbove(limited.length, 0)
      assert.isTrue(failures.every(({ status }) => status === 429 || status === 401))
      for (const { body, headers } of limited) {
        assert.deepStrictEqual(body, { _tag: "RateLimitedError", retryAfterSeconds: 1 })
        assert.strictEqual(headers.get("retry-after"), "1")
      }
      assert.strictEqual((yield* attempt("192.0.2.1", adminKey)).status, 200)
      assert.strictEqual((yield* attempt("192.0.2.2", wrong)).status, 401)
      const logIn = call("POST", "/v1/session", { apiKey: wrong }, { "X-Forwarded-For": "192.0.2.3" })
      const logIns = yield* Effect.replicateEffect(logIn, 40, { concurrency: "unbounded" })
      assert.isTrue(logIns.some(({ status }) => status === 429))
    })
  )
})
