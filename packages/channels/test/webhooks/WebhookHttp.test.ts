import type { ServerResponse } from "node:http"
import { assert, describe, it } from "@effect/vitest"
import { type WebhookPost, WebhookResponse } from "@switchboard/services/webhooks/delivery/WebhookTransport"
import { Deferred, Duration, Effect, Fiber, Queue } from "effect"
import { hookCertificate, trusting } from "../Certificates.js"
import { zoneLookup } from "../network/Guards.js"
import { loopbackOpen, posting } from "./Posting.js"
import { receiver } from "./Receiver.js"

const answered = (answer: WebhookResponse) =>
  WebhookResponse.$is("Responded")(answer) ? answer : assert.fail(`unreachable: ${answer.error}`)

const unreachable = (answer: WebhookResponse) =>
  WebhookResponse.$is("Unreachable")(answer) ? answer : assert.fail(`answered ${answer.status}: ${answer.body}`)

const short = { timeout: Duration.millis(300) }

/** Posts to a new endpoint. */
const posted = (respond: Parameters<typeof receiver>[0], changes?: Partial<WebhookPost>, path = "") =>
  Effect.gen(function* () {
    const endpoint = yield* receiver(respond)
    const post = yield* posting(loopbackOpen)
    return { endpoint, answer: yield* post(`${endpoint.url}${path}`, changes) }
  })

describe("WebhookHttp.post", () => {
  it.scopedLive("sends the body unchanged, with the User-Agent of the service", () =>
    Effect.gen(function* () {
      const body = '{"text":"Grüße 🎉"}'
      const headers = { "webhook-id": "msg_1", "X-Team": "blue" }
      const { answer, endpoint } = yield* posted(
        (response) => response.end("thanks"),
        { body, headers },
        "/hook?a=b%20c#here"
      )
      assert.include(answered(answer), { status: 200, body: "thanks", retryAfterSeconds: null })
      assert.isAtLeast(answer.durationMs, 0)
      const [request] = endpoint.received
      assert.include(request, { method: "POST", path: "/hook?a=b%20c", body })
      assert.include(request?.headers, {
        "webhook-id": "msg_1",
        "x-team": "blue",
        "content-type": "application/json",
        "user-agent": "Switchboard-Webhooks/1.0",
        "content-length": String(Buffer.byteLength(body)),
        host: `127.0.0.1:${endpoint.port}`
      })
    })
  )

  it.scopedLive("ignores custom values of reserved headers", () =>
    Effect.gen(function* () {
      const headers = {
        ...{ Host: "inside.test", "User-Agent": "curl", "Content-Length": "1", "Transfer-Encoding": "chunked" },
        ...{ Connection: "close", "Keep-Alive": "1", Upgrade: "h2c", TE: "trailers", Expect: "100-continue" }
      }
      const { answer, endpoint } = yield* posted((response) => response.end(), { headers })
      assert.strictEqual(answered(answer).status, 200)
      assert.include(endpoint.received[0]?.headers, {
        host: `127.0.0.1:${endpoint.port}`,
        "user-agent": "Switchboard-Webhooks/1.0",
        "content-length": "10"
      })
      assert.doesNotHaveAnyKeys(endpoint.received[0]?.headers, ["upgrade", "te", "expect", "transfer-encoding"])
    })
  )

  const responses: ReadonlyArray<readonly [string, Parameters<typeof receiver>[0], object]> = [
    ...[200, 201, 204, 400, 404, 410, 429, 500, 503].map((status) => {
      const body = status === 204 ? "" : "so be it"
      return [
        `status ${status} and the body`,
        (to: ServerResponse) => to.writeHead(status).end(body),
        { status, body }
      ] as const
    }),
    [
      "the final response after a 1xx response",
      (to) => to.writeEarlyHints({ link: "</a.css>; rel=preload" }, () => to.writeHead(202).end("taken")),
      { status: 202, body: "taken" }
    ],
    [
      "the seconds of Retry-After",
      (to) => to.writeHead(429, { "retry-after": "7" }).end(),
      { status: 429, retryAfterSeconds: 7 }
    ],
    [
      "the body truncated to 4 KiB between characters",
      (to) => to.end(`x${"é".repeat(10_000)}`),
      { body: `x${"é".repeat(2_047)}` }
    ]
  ]
  for (const [what, respond, expected] of responses) {
    it.scopedLive(`returns ${what}`, () =>
      Effect.gen(function* () {
        assert.include(answered((yield* posted(respond)).answer), expected)
      })
    )
  }

  it.scopedLive("returns the body as storable text", () =>
    Effect.gen(function* () {
      const bytes = Buffer.from([0x61, 0x00, 0xff, 0xed, 0xa0, 0x80, 0x62])
      assert.match(answered((yield* posted((response) => response.end(bytes))).answer).body, /^a\uFFFD+b$/)
    })
  )

  for (const status of [301, 302, 303, 307, 308]) {
    it.scopedLive(`does not follow a redirect (${status})`, () =>
      Effect.gen(function* () {
        const second = yield* receiver((response) => response.end())
        const { answer, endpoint } = yield* posted((response) =>
          response.writeHead(status, { location: second.url }).end("there")
        )
        assert.include(answered(answer), { status, body: "there" })
        assert.strictEqual(second.connections(), 0)
        assert.lengthOf(endpoint.received, 1)
      })
    )
  }

  it.scopedLive("reuses open connections", () =>
    Effect.gen(function* () {
      const endpoint = yield* receiver((response) => response.end("a".repeat(50_000)))
      const post = yield* posting(loopbackOpen)
      yield* Effect.repeatN(Effect.map(post(endpoint.url), answered), 9)
      assert.lengthOf(endpoint.received, 10)
      // The client releases a connection shortly after its response.
      assert.isAtMost(endpoint.connections(), 2)
    })
  )

  it.scopedLive("ignores the proxy settings of the environment", () =>
    Effect.gen(function* () {
      const proxy = yield* receiver((response) => response.end("from the proxy"))
      const names = ["http_proxy", "HTTP_PROXY", "https_proxy", "HTTPS_PROXY", "ALL_PROXY", "NODE_USE_ENV_PROXY"]
      yield* Effect.acquireRelease(
        Effect.sync(() => {
          for (const name of names) process.env[name] = proxy.url
        }),
        () =>
          Effect.sync(() => {
            for (const name of names) delete process.env[name]
          })
      )
      const { answer } = yield* posted((response) => response.end("from the endpoint"))
      assert.strictEqual(answered(answer).body, "from the endpoint")
      assert.strictEqual(proxy.connections(), 0)
    })
  )
})

describe("The response body", () => {
  it.scopedLive("is not read beyond 64 KiB, and its connection is closed", () =>
    Effect.gen(function* () {
      let written = 0
      const { answer, endpoint } = yield* posted((response) => {
        const more = () => {
          while (!response.destroyed) {
            written += 65_536
            if (!response.write("z".repeat(65_536))) return response.once("drain", more)
          }
        }
        more()
      })
      assert.include(answered(answer), { status: 200, body: "z".repeat(4_096) })
      assert.strictEqual(yield* Queue.take(endpoint.closed), 1)
      // The socket buffers of the system accept more than the client reads.
      assert.isBelow(written, 16 * 1024 * 1024)
    })
  )
})

describe("WebhookHttp.post without a response", () => {
  const failures: ReadonlyArray<readonly [string, Parameters<typeof receiver>[0], string, Partial<WebhookPost>?]> = [
    ["a timeout if the endpoint does not respond", () => undefined, "within 300ms", short],
    [
      "a timeout if the response arrives too slowly",
      (response) => {
        response.writeHead(200)
        const timer = setInterval(() => response.write("."), 20)
        response.on("close", () => clearInterval(timer))
      },
      "within 300ms",
      short
    ],
    ["a connection closed before the response", (response) => response.socket?.resetAndDestroy(), "closed"],
    [
      "a connection closed during the response",
      (response) => {
        response.writeHead(200, { "content-length": "100" })
        response.write("half", () => response.socket?.destroy())
      },
      "closed"
    ],
    ["a response that is not HTTP", (response) => response.socket?.end("SSH-2.0-OpenSSH\r\n\r\n"), "not HTTP"],
    [
      "too long response headers",
      (response) => response.writeHead(200, { "x-long": "h".repeat(100_000) }).end(),
      "too long"
    ]
  ]
  for (const [what, respond, error, changes] of failures) {
    it.scopedLive(`reports ${what}, and closes the connection`, () =>
      Effect.gen(function* () {
        const { answer, endpoint } = yield* posted(respond, changes)
        assert.include(unreachable(answer).error, error)
        if (changes === short) assert.isAtLeast(answer.durationMs, 290)
        assert.strictEqual(yield* Queue.take(endpoint.closed), 1)
      })
    )
  }

  it.scopedLive("times out if the name server does not answer", () =>
    Effect.gen(function* () {
      const { hostLookup } = yield* zoneLookup({ "silent.test": "silence" })
      const post = yield* posting(loopbackOpen, { hostLookup })
      assert.include(unreachable(yield* post("https://silent.test", short)).error, "within 300ms")
    })
  )

  it.scopedLive("closes the connection on interruption", () =>
    Effect.gen(function* () {
      const came = yield* Deferred.make<void>()
      const endpoint = yield* receiver(() => Deferred.unsafeDone(came, Effect.void))
      const post = yield* posting(loopbackOpen)
      const fiber = yield* Effect.fork(post(endpoint.url))
      yield* Deferred.await(came)
      yield* Fiber.interrupt(fiber)
      assert.strictEqual(yield* Queue.take(endpoint.closed), 1)
    })
  )

  it.scopedLive("reports a refused connection", () =>
    Effect.gen(function* () {
      const gone = yield* Effect.scoped(receiver(() => undefined))
      const post = yield* posting(loopbackOpen)
      assert.strictEqual(unreachable(yield* post(gone.url)).error, "The connection was refused")
    })
  )

  it.scopedLive("reports invalid request headers, and does not connect", () =>
    Effect.gen(function* () {
      const headers = { "x-team": "blue\r\nx-other: red" }
      const { answer, endpoint } = yield* posted((response) => response.end(), { headers })
      assert.include(unreachable(answer).error, "can't be sent")
      assert.strictEqual(endpoint.connections(), 0)
    })
  )

  it.scopedLive("reports a name without an address", () =>
    Effect.gen(function* () {
      const { hostLookup } = yield* zoneLookup({})
      const post = yield* posting(loopbackOpen, { hostLookup })
      assert.include(unreachable(yield* post("https://nowhere.test")).error, "nowhere.test has no address")
    })
  )
})

describe("WebhookHttp.post over TLS", () => {
  const named = {
    "hook.test": [{ type: "A", address: "127.0.0.1" }],
    "other.test": [{ type: "A", address: "127.0.0.1" }]
  } as const

  it.scopedLive("refuses an untrusted certificate", () =>
    Effect.gen(function* () {
      const endpoint = yield* receiver((response) => response.end(), { tls: hookCertificate })
      const post = yield* posting(loopbackOpen)
      assert.match(unreachable(yield* post(endpoint.url)).error, /TLS.*self-signed/)
      assert.lengthOf(endpoint.received, 0)
    })
  )

  it.scopedLive("verifies the certificate against the host name, not the address", () =>
    Effect.gen(function* () {
      const { cert, key } = hookCertificate
      yield* trusting(cert)
      const { hostLookup } = yield* zoneLookup(named)
      const serverNames: Array<string> = []
      const tls = {
        cert,
        key,
        SNICallback: (name: string, done: (error: null) => void) => {
          serverNames.push(name)
          done(null)
        }
      }
      const endpoint = yield* receiver((response) => response.end(), { tls })
      const post = yield* posting(loopbackOpen, { hostLookup })
      for (const host of ["hook.test", "hook.test.", "127.0.0.1"]) {
        assert.strictEqual(answered(yield* post(`https://${host}:${endpoint.port}`)).status, 200, host)
      }
      assert.match(unreachable(yield* post(`https://other.test:${endpoint.port}`)).error, /TLS.*other\.test/)
      assert.deepStrictEqual([...new Set(serverNames)], ["hook.test", "other.test"])
      assert.strictEqual(endpoint.received[0]?.headers.host, `hook.test:${endpoint.port}`)
    })
  )

  it.scopedLive("does not send a timed-out request when its TLS handshake completes later", () =>
    Effect.gen(function* () {
      const { cert, key } = hookCertificate
      yield* trusting(cert)
      const { hostLookup } = yield* zoneLookup(named)
      const held: Array<() => void> = []
      let holding = true
      const tls = {
        cert,
        key,
        SNICallback: (_: string, done: (error: null) => void) => {
          if (holding) held.push(() => done(null))
          else done(null)
        }
      }
      const endpoint = yield* receiver((response) => response.end(), { tls })
      const post = yield* posting(loopbackOpen, { hostLookup })
      const url = `https://hook.test:${endpoint.port}`
      assert.include(unreachable(yield* post(`${url}/late`, short)).error, "within 300ms")
      holding = false
      for (const release of held) release()
      yield* Effect.repeatN(Effect.map(post(`${url}/next`), answered), 4)
      assert.notInclude(
        endpoint.received.map(({ path }) => path),
        "/late"
      )
      assert.lengthOf(held, 1)
    })
  )
})
