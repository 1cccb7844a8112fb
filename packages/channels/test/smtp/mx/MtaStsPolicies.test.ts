import { assert, describe, it } from "@effect/vitest"
import { type Duration, Effect, Fiber, TestClock } from "effect"
import { hookCertificate, policyCertificate, trusting } from "../../Certificates.js"
import type { DnsAnswer } from "../../network/DnsServer.js"
import { receiver } from "../../webhooks/Receiver.js"
import { storedPolicies, tlsPolicies } from "./PolicyFixture.js"

type Respond = Parameters<typeof receiver>[0]

const record = (id: string): DnsAnswer => [{ type: "TXT", chunks: [`v=STSv1; id=${id}`] }]

const zoneOf = (address = "127.0.0.1"): Record<string, DnsAnswer> => ({
  "_mta-sts.shop.test": record("1"),
  "mta-sts.shop.test": [{ type: "A", address }]
})

const fileOf = (mode = "enforce", maxAge = 86_400) =>
  `version: STSv1\r\nmode: ${mode}\r\nmx: mx.shop.test\r\nmax_age: ${maxAge}\r\n`

const plain = { "content-type": "text/plain; charset=utf-8" }

const respondWith =
  (text: string): Respond =>
  (response) =>
    response.writeHead(200, plain).end(text)

/** An HTTPS server for the policy of shop.test. `respond` can be changed. */
const policyHost = (respond: Respond) =>
  Effect.gen(function* () {
    yield* trusting(policyCertificate.cert)
    const state = { respond }
    const host = yield* receiver((response, request) => state.respond(response, request), { tls: policyCertificate })
    return { ...host, state }
  })

const fail: Respond = (response) => response.writeHead(503).end()

describe("TlsPolicies.ofDomain", () => {
  it.scoped("fetches the policy that the DNS record announces, and stores it", () =>
    Effect.gen(function* () {
      const host = yield* policyHost(respondWith(fileOf()))
      const stored = storedPolicies()
      const { policies } = yield* tlsPolicies({ zone: zoneOf(), stored, settings: { policyPort: host.port } })
      const { allows, mode } = yield* policies.ofDomain("Shop.test")
      assert.strictEqual(mode, "enforce")
      assert.isTrue(allows("mx.shop.test"))
      assert.isFalse(allows("mx.other.test"))
      assert.include(host.received[0], { method: "GET", path: "/.well-known/mta-sts.txt" })
      assert.deepInclude(stored.policies.get("shop.test"), { id: "1", mode: "enforce", mx: ["mx.shop.test"] })
    })
  )

  it.scoped("allows every mail server in the modes testing and none", () =>
    Effect.gen(function* () {
      for (const mode of ["testing", "none"]) {
        const host = yield* policyHost(respondWith(fileOf(mode)))
        const { policies } = yield* tlsPolicies({ zone: zoneOf(), settings: { policyPort: host.port } })
        const found = yield* policies.ofDomain("shop.test")
        assert.strictEqual(found.mode, mode)
        assert.isTrue(found.allows("mx.other.test"))
      }
    })
  )

  it.scoped("has no policy without a DNS record, and requests none", () =>
    Effect.gen(function* () {
      const host = yield* policyHost(respondWith(fileOf()))
      for (const answer of ["NXDOMAIN", "SERVFAIL", [...record("1"), ...record("2")]] as const) {
        const zone = { ...zoneOf(), "_mta-sts.shop.test": answer as DnsAnswer }
        const { policies } = yield* tlsPolicies({ zone, settings: { policyPort: host.port } })
        assert.strictEqual((yield* policies.ofDomain("shop.test")).mode, "none")
      }
      assert.strictEqual(host.connections(), 0)
    })
  )

  it.scoped("has no policy for a text that is not a domain, and queries nothing", () =>
    Effect.gen(function* () {
      const { policies, queries } = yield* tlsPolicies({ zone: zoneOf() })
      for (const domain of ["[192.0.2.1]", "", "localhost", "shop.test/x", "a@shop.test", "shop.test:25"]) {
        assert.strictEqual((yield* policies.ofDomain(domain)).mode, "none", domain)
      }
      assert.lengthOf(queries, 0)
    })
  )

  const unusable: Record<string, (elsewhere: string) => Respond> = {
    "a redirect": (elsewhere) => (response) => response.writeHead(301, { ...plain, location: elsewhere }).end(fileOf()),
    "status 404": () => (response) => response.writeHead(404, plain).end(fileOf()),
    "status 206": () => (response) => response.writeHead(206, plain).end(fileOf()),
    HTML: () => (response) => response.writeHead(200, { "content-type": "text/html" }).end(fileOf()),
    "no content type": () => (response) => response.writeHead(200).end(fileOf()),
    "another text type": () => (response) => response.writeHead(200, { "content-type": "text/plainer" }).end(fileOf()),
    "more than 64 KiB": () => respondWith(fileOf() + "x".repeat(64 * 1024)),
    "10 MB": () => respondWith(fileOf() + "x: y\n".repeat(2_000_000)),
    "another text": () => respondWith("hello"),
    "a lost connection": () => (response) => response.destroy()
  }
  for (const [what, respond] of Object.entries(unusable)) {
    it.scoped(`has no policy if the policy host sends ${what}`, () =>
      Effect.gen(function* () {
        const elsewhere = yield* receiver(respondWith(fileOf()))
        const host = yield* policyHost(respond(`${elsewhere.url}/.well-known/mta-sts.txt`))
        const stored = storedPolicies()
        const { policies } = yield* tlsPolicies({ zone: zoneOf(), stored, settings: { policyPort: host.port } })
        assert.strictEqual((yield* policies.ofDomain("shop.test")).mode, "none")
        assert.lengthOf(host.received, 1)
        assert.strictEqual(elsewhere.connections(), 0)
        assert.strictEqual(stored.policies.size, 0)
      })
    )
  }

  const endless: Record<string, Respond> = {
    "no response": () => undefined,
    "half a response": (response) => void response.writeHead(200, plain).write(fileOf())
  }
  for (const [what, respond] of Object.entries(endless)) {
    it.scoped(`has no policy after the timeout if the policy host sends ${what}`, () =>
      Effect.gen(function* () {
        const host = yield* policyHost(respond)
        const settings = { policyPort: host.port, policyTimeout: "300 millis" } as const
        const { policies } = yield* tlsPolicies({ zone: zoneOf(), settings })
        assert.strictEqual((yield* policies.ofDomain("shop.test")).mode, "none")
      })
    )
  }

  it.scoped("has a policy of exactly 64 KiB", () =>
    Effect.gen(function* () {
      const host = yield* policyHost(respondWith(fileOf().padEnd(64 * 1024, "\n")))
      const { policies } = yield* tlsPolicies({ zone: zoneOf(), settings: { policyPort: host.port } })
      assert.strictEqual((yield* policies.ofDomain("shop.test")).mode, "enforce")
    })
  )

  it.scoped("has no policy if the certificate of the policy host is untrusted or for another name", () =>
    Effect.gen(function* () {
      const untrusted = yield* receiver(respondWith(fileOf()), { tls: policyCertificate })
      yield* trusting(hookCertificate.cert)
      const misnamed = yield* receiver(respondWith(fileOf()), { tls: hookCertificate })
      for (const host of [untrusted, misnamed]) {
        const { policies } = yield* tlsPolicies({ zone: zoneOf(), settings: { policyPort: host.port } })
        assert.strictEqual((yield* policies.ofDomain("shop.test")).mode, "none")
        assert.strictEqual(host.connections(), 1)
        assert.lengthOf(host.received, 0)
      }
    })
  )

  it.scoped("does not connect to a policy host with a private address", () =>
    Effect.gen(function* () {
      const host = yield* policyHost(respondWith(fileOf()))
      const network = { allow: [] }
      const { policies } = yield* tlsPolicies({ zone: zoneOf(), network, settings: { policyPort: host.port } })
      assert.strictEqual((yield* policies.ofDomain("shop.test")).mode, "none")
      assert.strictEqual(host.connections(), 0)
    })
  )

  it.scoped("holds a policy until its max_age over restarts, without DNS record and file", () =>
    Effect.gen(function* () {
      const host = yield* policyHost(respondWith(fileOf("enforce", 3_600)))
      const [stored, settings] = [storedPolicies(), { policyPort: host.port }]
      const first = yield* tlsPolicies({ zone: zoneOf(), stored, settings })
      yield* first.policies.ofDomain("shop.test")
      host.state.respond = fail
      for (const answer of ["NXDOMAIN", "SERVFAIL", record("2")] as const) {
        const zone = { ...zoneOf(), "_mta-sts.shop.test": answer }
        const { policies } = yield* tlsPolicies({ zone, stored, settings })
        assert.strictEqual((yield* policies.ofDomain("shop.test")).mode, "enforce")
        yield* TestClock.adjust("10 minutes")
        assert.strictEqual((yield* policies.ofDomain("shop.test")).mode, "enforce")
      }
      yield* TestClock.adjust("29 minutes")
      const { policies } = yield* tlsPolicies({ zone: zoneOf(), stored, settings })
      assert.strictEqual((yield* policies.ofDomain("shop.test")).mode, "enforce")
      // The policy expires before the domain is looked up again.
      yield* TestClock.adjust("1 minute")
      assert.strictEqual((yield* policies.ofDomain("shop.test")).mode, "none")
    })
  )

  it.scoped("fetches a policy again when its id changes, and once a day", () =>
    Effect.gen(function* () {
      const host = yield* policyHost(respondWith(fileOf("testing", 604_800)))
      const zone = zoneOf()
      const stored = storedPolicies()
      const { policies } = yield* tlsPolicies({ zone, stored, settings: { policyPort: host.port } })
      const modeAfter = (time: Duration.DurationInput) =>
        Effect.gen(function* () {
          yield* TestClock.adjust(time)
          return [(yield* policies.ofDomain("shop.test")).mode, host.received.length]
        })
      assert.deepStrictEqual(yield* modeAfter(0), ["testing", 1])
      assert.deepStrictEqual(yield* modeAfter("23 hours"), ["testing", 1])
      assert.deepStrictEqual(yield* modeAfter("1 hour"), ["testing", 2])
      host.state.respond = respondWith(fileOf("enforce", 604_800))
      zone["_mta-sts.shop.test"] = record("2")
      assert.deepStrictEqual(yield* modeAfter("4 minutes"), ["testing", 2])
      assert.deepStrictEqual(yield* modeAfter("1 minute"), ["enforce", 3])
      assert.deepInclude(stored.policies.get("shop.test"), { id: "2", mode: "enforce" })
    })
  )

  it.scoped("repeats a failed fetch after 5 minutes", () =>
    Effect.gen(function* () {
      const host = yield* policyHost(fail)
      const { policies } = yield* tlsPolicies({ zone: zoneOf(), settings: { policyPort: host.port } })
      yield* policies.ofDomain("shop.test")
      yield* TestClock.adjust("4 minutes")
      yield* policies.ofDomain("shop.test")
      assert.lengthOf(host.received, 1)
      host.state.respond = respondWith(fileOf())
      yield* TestClock.adjust("1 minute")
      assert.strictEqual((yield* policies.ofDomain("shop.test")).mode, "enforce")
    })
  )

  it.scoped("fetches once for concurrent callers, also if the first one is interrupted", () =>
    Effect.gen(function* () {
      const host = yield* policyHost(respondWith(fileOf()))
      const { policies } = yield* tlsPolicies({ zone: zoneOf(), settings: { policyPort: host.port } })
      const first = yield* Effect.fork(policies.ofDomain("shop.test"))
      yield* Effect.yieldNow()
      yield* Fiber.interrupt(first)
      const found = yield* Effect.all(
        Array.from({ length: 20 }, () => policies.ofDomain("shop.test")),
        { concurrency: "unbounded" }
      )
      assert.isTrue(found.every(({ mode }) => mode === "enforce"))
      assert.lengthOf(host.received, 1)
    })
  )

  it.scoped("works without the database: policies in memory hold, others are fetched", () =>
    Effect.gen(function* () {
      const host = yield* policyHost(respondWith(fileOf()))
      const [stored, zone] = [storedPolicies(), zoneOf()]
      stored.state.isReachable = false
      const { policies } = yield* tlsPolicies({ zone, stored, settings: { policyPort: host.port } })
      assert.strictEqual((yield* policies.ofDomain("other.test")).mode, "none")
      assert.strictEqual((yield* policies.ofDomain("shop.test")).mode, "enforce")
      zone["_mta-sts.shop.test"] = "NXDOMAIN"
      yield* TestClock.adjust("10 minutes")
      assert.strictEqual((yield* policies.ofDomain("shop.test")).mode, "enforce")
      assert.lengthOf(host.received, 1)
    })
  )
})
