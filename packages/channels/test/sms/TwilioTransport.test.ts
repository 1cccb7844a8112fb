import type { ServerResponse } from "node:http"
import { assert, describe, it } from "@effect/vitest"
import { twilioAccount } from "@switchboard/channels/sms/TwilioAccount"
import { TwilioSettings, TwilioTransport } from "@switchboard/channels/sms/TwilioTransport"
import { SmsTransport } from "@switchboard/services/sms/SmsTransport"
import { Context, Duration, Effect, Layer, Option, Redacted } from "effect"
import { hookCertificate, trusting } from "../Certificates.js"
import { heldLease, organizationId } from "../Fixtures.js"
import { sms } from "./SmsFixture.js"
import { accountSid, authToken, respondError, twilioServer } from "./TwilioServer.js"

const statusCallback = "https://messages.example.com/v1/providers/twilio"

const transportTo = (url: string, timeout = Duration.seconds(30)) =>
  Effect.gen(function* () {
    const account = Option.getOrThrow(twilioAccount(Redacted.make(url)))
    const context = yield* Layer.build(TwilioTransport).pipe(
      Effect.provideService(TwilioSettings, { account, statusCallback, timeout })
    )
    return Context.get(context, SmsTransport)
  })

/** Sends a text to a server whose response the test decides. */
const sendTo = (respond: (response: ServerResponse) => void, timeout?: Duration.Duration) =>
  Effect.gen(function* () {
    const server = yield* twilioServer()
    server.next.push(respond)
    const transport = yield* transportTo(server.smsUrl, timeout)
    return yield* Effect.either(transport.send(sms(), heldLease))
  })

/** Sends a text that must fail; returns the failure. */
const failureOf = (respond: (response: ServerResponse) => void, timeout?: Duration.Duration) =>
  Effect.flatMap(sendTo(respond, timeout), Effect.flip)

describe("TwilioTransport", () => {
  it.scopedLive("sends a text in one request, and returns the id of the message", () =>
    Effect.gen(function* () {
      const server = yield* twilioServer()
      const transport = yield* transportTo(server.smsUrl)
      const text = `Ünïcode & = + % 😀 ${"x".repeat(700)}`
      const reply = yield* transport.send(sms({ text, from: "Bookshop" }), heldLease)
      const [message] = server.messages
      assert.deepInclude(message ?? {}, { to: sms().to, from: "Bookshop", body: text, statusCallback })
      assert.deepStrictEqual(reply.providerMessageId, message?.sid)
      assert.deepInclude(reply.replies[0] ?? {}, {
        recipient: sms().to,
        verdict: "accepted",
        providerMessageIds: [message?.sid],
        response: `HTTP 201 ${message?.sid} queued`
      })
      const [request] = server.received
      assert.strictEqual(
        request?.headers.authorization,
        `Basic ${Buffer.from(`${accountSid}:${authToken}`).toString("base64")}`
      )
      assert.sameMembers([...new URLSearchParams(request?.body).keys()], ["To", "From", "Body", "StatusCallback"])
      assert.deepStrictEqual([transport.provider, `http://${transport.address}`], ["twilio", server.url])
    })
  )

  it.scopedLive("uses a connection again", () =>
    Effect.gen(function* () {
      const server = yield* twilioServer()
      const transport = yield* transportTo(server.smsUrl)
      for (let count = 0; count < 5; count++) yield* transport.send(sms(), heldLease)
      assert.lengthOf(server.messages, 5)
      assert.isAtMost(server.connections(), 2)
    })
  )

  it.scopedLive("sends the path of the URL before that of the API", () =>
    Effect.gen(function* () {
      const server = yield* twilioServer()
      const transport = yield* transportTo(`${server.smsUrl}/api/laml/`)
      yield* Effect.flip(transport.send(sms(), heldLease))
      assert.strictEqual(server.received[0]?.path, `/api/laml/2010-04-01/Accounts/${accountSid}/Messages.json`)
    })
  )

  for (const { change, code, reason } of [
    { change: { to: "+15005550001" }, code: "21211", reason: "user_unknown" },
    { change: { to: "+15005550009" }, code: "21614", reason: "user_unknown" },
    { change: { to: "+15005550002" }, code: "21612", reason: "policy" },
    { change: { to: "+15005550003" }, code: "21408", reason: "policy" },
    { change: { to: "+15005550004" }, code: "21610", reason: "policy" },
    { change: { from: "+15005550001" }, code: "21212", reason: "sender_blocked" },
    { change: { from: "+15005550007" }, code: "21606", reason: "sender_blocked" },
    { change: { text: "x".repeat(1_601) }, code: "21617", reason: "message_too_large" }
  ]) {
    it.scopedLive(`counts the error ${code} as refused`, () =>
      Effect.gen(function* () {
        const server = yield* twilioServer()
        const transport = yield* transportTo(server.smsUrl)
        const { providerMessageId, replies } = yield* transport.send(sms(change), heldLease)
        assert.isNull(providerMessageId)
        assert.deepInclude(replies[0] ?? {}, { verdict: "refused", errorCode: code, reason })
        assert.match(replies[0]?.response ?? "", new RegExp(`^HTTP 400 ${code} \\S`))
      })
    )
  }

  it.scopedLive("counts an unlisted error as refused, also with status 403", () =>
    Effect.gen(function* () {
      const unlisted = yield* Effect.flatten(sendTo((response) => respondError(response, 400, 21_999)))
      assert.deepInclude(unlisted.replies[0] ?? {}, { verdict: "refused", errorCode: "21999", reason: "unknown" })
      const region = yield* Effect.flatten(sendTo((response) => respondError(response, 403, 21_408)))
      assert.deepInclude(region.replies[0] ?? {}, { verdict: "refused", errorCode: "21408" })
    })
  )

  it.scopedLive("defers a text while the queue of its sender is full", () =>
    Effect.gen(function* () {
      const server = yield* twilioServer()
      const transport = yield* transportTo(server.smsUrl)
      const { replies } = yield* transport.send(sms({ from: "+15005550008" }), heldLease)
      assert.deepInclude(replies[0] ?? {}, { verdict: "deferred", errorCode: "21611", reason: "rate_limited" })
    })
  )

  for (const [status, code] of [
    [429, 20429],
    [400, 20429],
    [401, 20003],
    [403, 20005],
    [404, 20404],
    [400, 21609],
    [503, 20503]
  ] as const) {
    it.scopedLive(`counts the error ${code} with status ${status} as an outage`, () =>
      Effect.gen(function* () {
        const failure = yield* failureOf((response) => respondError(response, status, code, "Not now"))
        assert.deepInclude(failure, { _tag: "ProviderUnavailable", response: `HTTP ${status} ${code} Not now` })
      })
    )
  }

  it.scopedLive("counts a response of something else than the API as an outage", () =>
    Effect.gen(function* () {
      for (const status of [302, 400, 407, 429]) {
        const failure = yield* failureOf((response) => response.writeHead(status).end("<html>Proxy</html>"))
        assert.deepInclude(failure, { _tag: "ProviderUnavailable", response: `HTTP ${status}` })
      }
    })
  )

  for (const [name, respond] of [
    ["500", (response: ServerResponse) => respondError(response, 500, 20500)],
    ["502 without JSON", (response: ServerResponse) => response.writeHead(502).end("Bad gateway")],
    ["201 without an id", (response: ServerResponse) => response.writeHead(201).end("{}")],
    ["201 with malformed JSON", (response: ServerResponse) => response.writeHead(201).end('{"sid":')],
    ["201 with another kind of id", (response: ServerResponse) => response.writeHead(201).end('{"sid":7}')],
    ["200 with a page", (response: ServerResponse) => response.writeHead(200).end("<html>Log in</html>")]
  ] as const) {
    it.scopedLive(`defers a text after ${name}, which may have been taken`, () =>
      Effect.gen(function* () {
        const failure = yield* failureOf(respond)
        assert.deepInclude(failure, { _tag: "SendDeferred", isSilent: true, mayBeTaken: true })
      })
    )
  }

  it.scopedLive("defers a text without a response in time, which may have been taken", () =>
    Effect.gen(function* () {
      const failure = yield* failureOf(() => undefined, Duration.millis(300))
      assert.deepInclude(failure, { _tag: "SendDeferred", isSilent: true, mayBeTaken: true })
    })
  )

  it.scopedLive("defers a text whose connection is lost after the request, or within the response", () =>
    Effect.gen(function* () {
      const lost = yield* failureOf((response) => response.destroy())
      assert.deepInclude(lost, { _tag: "SendDeferred", isSilent: false, mayBeTaken: true })
      const partial = yield* failureOf((response) => {
        response.writeHead(201, { "content-length": "1000" }).write('{"sid":"SM1"')
        setImmediate(() => response.destroy())
      })
      assert.deepInclude(partial, { _tag: "SendDeferred", mayBeTaken: true })
    })
  )

  it.scopedLive("reads at most 64 KiB of a response", () =>
    Effect.gen(function* () {
      const failure = yield* failureOf((response) => {
        response.writeHead(400)
        const more = () => {
          while (response.write("x".repeat(65_536)));
          response.once("drain", more)
        }
        more()
      })
      assert.deepInclude(failure, { _tag: "ProviderUnavailable", response: "HTTP 400" })
    })
  )

  it.scopedLive("counts an unreachable host and an untrusted certificate as an outage", () =>
    Effect.gen(function* () {
      const closed = yield* Effect.scoped(twilioServer())
      const unreachable = yield* transportTo(closed.smsUrl)
      assert.deepInclude(yield* Effect.flip(unreachable.send(sms(), heldLease)), {
        _tag: "ProviderUnavailable",
        response: "The connection was refused"
      })
      const server = yield* twilioServer({ tls: hookCertificate })
      const untrusting = yield* transportTo(server.smsUrl)
      const failure = yield* Effect.flip(untrusting.send(sms(), heldLease))
      assert.strictEqual(failure._tag, "ProviderUnavailable")
      assert.lengthOf(server.messages, 0)
      yield* trusting(hookCertificate.cert)
      const trusted = yield* transportTo(server.smsUrl)
      yield* trusted.send(sms(), heldLease)
      assert.lengthOf(server.messages, 1)
    })
  )

  it.scopedLive("writes nothing without its lease", () =>
    Effect.gen(function* () {
      const server = yield* twilioServer()
      const transport = yield* transportTo(server.smsUrl)
      const withdrawn = yield* Effect.flip(transport.send(sms(), { organizationId, isHeld: () => false }))
      assert.strictEqual(withdrawn._tag, "SendWithdrawn")
      yield* transport.send(sms(), heldLease)
      assert.lengthOf(server.received, 1)
    })
  )

  it.scopedLive("probes the account without sending", () =>
    Effect.gen(function* () {
      const server = yield* twilioServer()
      const transport = yield* transportTo(server.smsUrl)
      yield* transport.probe
      assert.deepStrictEqual(
        server.received.map(({ method, path }) => `${method} ${path}`),
        [`GET /2010-04-01/Accounts/${accountSid}.json`]
      )
      server.account.status = "suspended"
      assert.include((yield* Effect.flip(transport.probe)).response, '"suspended"')
      const wrong = yield* transportTo(server.smsUrl.replace(/:[^:]*@/, ":wrong@"))
      assert.include((yield* Effect.flip(wrong.probe)).response, "HTTP 401 20003 Authenticate")
    })
  )
})
