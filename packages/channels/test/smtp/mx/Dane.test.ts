import { createHash } from "node:crypto"
import { assert, describe, it } from "@effect/vitest"
import { Duration, Effect, TestClock } from "effect"
import { policyCertificate, trusting } from "../../Certificates.js"
import type { DnsAnswer, DnsRecord } from "../../network/DnsServer.js"
import { receiver } from "../../webhooks/Receiver.js"
import { tlsPolicies } from "./PolicyFixture.js"

const data = createHash("sha256").update("a key").digest()
const tlsa = (usage: number, selector = 1, matching = 1, content = data): DnsRecord => ({
  type: "TLSA",
  usage,
  selector,
  matching,
  data: content
})
const mx = (exchange: string): DnsRecord => ({ type: "MX", priority: 10, exchange })
const a: DnsRecord = { type: "A", address: "192.0.2.1" }
const alias = (target: string): DnsRecord => ({ type: "CNAME", target })

const zoneOf = (changes: Record<string, DnsAnswer> = {}): Record<string, DnsAnswer> => ({
  "shop.test": [mx("Mx.shop.test")],
  "mx.shop.test": [a],
  "_25._tcp.mx.shop.test": [tlsa(3)],
  ...changes
})

const record = (name: string, usage = "end-entity") => ({
  name,
  usage,
  selector: "key",
  matching: "sha256",
  data: data.toString("hex")
})

/** How connections to mx.shop.test are secured; by default every answer is authenticated. */
const serverTls = (
  zone: Record<string, DnsAnswer>,
  options: Omit<Parameters<typeof tlsPolicies>[0], "zone"> = {},
  host = "mx.shop.test",
  domain = "shop.test"
) =>
  Effect.flatMap(tlsPolicies({ zone, isAuthenticated: () => true, ...options }), ({ policies }) =>
    policies.ofServer(domain, host, 25)
  )

const opportunistic = { tls: "opportunistic", tlsa: [] } as const

describe("TlsPolicies.ofServer with DANE", () => {
  it.scoped("verifies by the TLSA records of a server whose answers are authenticated", () =>
    Effect.gen(function* () {
      const found = yield* serverTls(
        zoneOf({ "_25._tcp.mx.shop.test": [tlsa(3), tlsa(2)] }),
        {},
        "MX.shop.test.",
        "Shop.test"
      )
      assert.deepStrictEqual<unknown>(found, {
        tls: "dane",
        tlsa: [record("mx.shop.test"), record("mx.shop.test", "trust-anchor")]
      })
    })
  )

  for (const unsigned of ["shop.test", "mx.shop.test", "_25._tcp.mx.shop.test"]) {
    it.scoped(`does not use DANE if the answer about ${unsigned} is not authenticated`, () =>
      Effect.gen(function* () {
        const isAuthenticated = (name: string) => name !== unsigned
        const { policies, queries } = yield* tlsPolicies({ zone: zoneOf(), isAuthenticated })
        assert.deepStrictEqual(yield* policies.ofServer("shop.test", "mx.shop.test", 25), opportunistic)
        // Servers of unsigned zones can fail at queries for TLSA (RFC 7672 section 2.1.3).
        assert.strictEqual(queries.includes("_25._tcp.mx.shop.test 52"), unsigned.startsWith("_25"))
      })
    )
  }

  it.scoped("does not use DANE if the server has no TLSA records", () =>
    Effect.gen(function* () {
      for (const answer of ["NXDOMAIN", []] as const) {
        assert.deepStrictEqual(yield* serverTls(zoneOf({ "_25._tcp.mx.shop.test": answer })), opportunistic)
      }
    })
  )

  for (const failing of ["shop.test", "mx.shop.test", "_25._tcp.mx.shop.test"]) {
    it.scoped(`fails if the look-up of ${failing} fails`, () =>
      Effect.gen(function* () {
        const failure = yield* Effect.flip(serverTls(zoneOf({ [failing]: "SERVFAIL" })))
        assert.strictEqual(failure._tag, "DnsFailed")
        assert.include(failure.message, ` ${failing} `)
      })
    )
  }

  it.scoped("fails if the authenticated MX records do not name the server", () =>
    Effect.gen(function* () {
      const { message } = yield* Effect.flip(serverTls(zoneOf(), {}, "mx.other.test"))
      assert.include(message, "mx.other.test")
      assert.include(message, "shop.test")
    })
  )

  it.scoped("finds the records of a domain that is its own mail server", () =>
    Effect.gen(function* () {
      const zone = { "shop.test": [a], "_25._tcp.shop.test": [tlsa(3)] }
      assert.deepStrictEqual<unknown>(yield* serverTls(zone, {}, "shop.test"), {
        tls: "dane",
        tlsa: [record("shop.test")]
      })
    })
  )

  it.scoped("finds the records of a server that has only an IPv6 address", () =>
    Effect.gen(function* () {
      const zone = zoneOf({ "mx.shop.test": [{ type: "AAAA", address: "2001:db8::1" }] })
      assert.strictEqual((yield* serverTls(zone)).tls, "dane")
    })
  )

  it.scoped("looks a server up again after the time to live of its records, or a minute", () =>
    Effect.gen(function* () {
      for (const [timeToLive, lifetime] of [
        [30, 30],
        [3_600, 60]
      ] as const) {
        const { policies, queries } = yield* tlsPolicies({ zone: zoneOf(), timeToLive, isAuthenticated: () => true })
        const lookups = Effect.map(
          policies.ofServer("shop.test", "mx.shop.test", 25),
          () => queries.filter((query) => query === "_25._tcp.mx.shop.test 52").length
        )
        assert.strictEqual(yield* lookups, 1)
        yield* TestClock.adjust(Duration.seconds(lifetime - 1))
        assert.strictEqual(yield* lookups, 1)
        yield* TestClock.adjust("1 second")
        assert.strictEqual(yield* lookups, 2)
      }
    })
  )

  it.scoped("demands TLS if no record is usable, and leaves unusable records out", () =>
    Effect.gen(function* () {
      const unusable = [
        ...[tlsa(0), tlsa(1), tlsa(4), tlsa(3, 2), tlsa(3, 1, 3)],
        ...[tlsa(3, 1, 2), tlsa(3, 1, 1, Buffer.alloc(31)), tlsa(3, 1, 0, Buffer.alloc(0))]
      ]
      assert.deepStrictEqual(yield* serverTls(zoneOf({ "_25._tcp.mx.shop.test": unusable })), {
        tls: "encrypt",
        tlsa: []
      })
      const { tls, tlsa: usable } = yield* serverTls(zoneOf({ "_25._tcp.mx.shop.test": [...unusable, tlsa(3)] }))
      assert.strictEqual(tls, "dane")
      assert.deepStrictEqual<unknown>(usable, [record("mx.shop.test")])
    })
  )

  it.scoped("prefers the records of the target of an alias to those of the alias", () =>
    Effect.gen(function* () {
      const aliased = zoneOf({ "mx.shop.test": [alias("mail.host.test"), a] })
      assert.deepStrictEqual<unknown>((yield* serverTls(aliased)).tlsa, [record("mx.shop.test")])
      const both = { ...aliased, "_25._tcp.mail.host.test": [tlsa(2)] }
      assert.deepStrictEqual<unknown>((yield* serverTls(both)).tlsa, [record("mail.host.test", "trust-anchor")])
    })
  )

  it.scoped("uses the records of a signed alias to an unsigned target", () =>
    Effect.gen(function* () {
      const zone = { ...zoneOf({ "mx.shop.test": [alias("mail.host.test"), a] }), "_25._tcp.mail.host.test": [tlsa(2)] }
      const isAuthenticated = (name: string, isAlias: boolean) => name !== "mx.shop.test" || isAlias
      assert.deepStrictEqual<unknown>((yield* serverTls(zone, { isAuthenticated })).tlsa, [record("mx.shop.test")])
      const isSigned = (name: string) => name !== "mx.shop.test"
      assert.deepStrictEqual(yield* serverTls(zone, { isAuthenticated: isSigned }), opportunistic)
    })
  )
})

describe("TlsPolicies.ofServer", () => {
  const withPolicy = (mode: string, changes: Record<string, DnsAnswer> = {}) =>
    Effect.gen(function* () {
      yield* trusting(policyCertificate.cert)
      const text = `version: STSv1\nmode: ${mode}\nmx: mx.shop.test\nmax_age: 60\n`
      const host = yield* receiver((response) => response.writeHead(200, { "content-type": "text/plain" }).end(text), {
        tls: policyCertificate
      })
      const zone: Record<string, DnsAnswer> = zoneOf({
        "_mta-sts.shop.test": [{ type: "TXT", chunks: ["v=STSv1; id=1"] }],
        "mta-sts.shop.test": [{ type: "A", address: "127.0.0.1" }],
        ...changes
      })
      return { zone, settings: { policyPort: host.port } }
    })

  it.scoped("requires a verified certificate under an enforced MTA-STS policy without DANE", () =>
    Effect.gen(function* () {
      for (const [mode, tls] of [
        ["enforce", "require"],
        ["testing", "opportunistic"],
        ["none", "opportunistic"]
      ] as const) {
        const { settings, zone } = yield* withPolicy(mode)
        assert.deepStrictEqual(yield* serverTls(zone, { settings, isAuthenticated: () => false }), { tls, tlsa: [] })
      }
    })
  )

  it.scoped("prefers DANE to MTA-STS, unless no TLSA record is usable", () =>
    Effect.gen(function* () {
      const both = yield* withPolicy("enforce")
      assert.strictEqual((yield* serverTls(both.zone, both)).tls, "dane")
      const unusable = yield* withPolicy("enforce", { "_25._tcp.mx.shop.test": [tlsa(0)] })
      assert.strictEqual((yield* serverTls(unusable.zone, unusable)).tls, "require")
    })
  )

  it.scoped("demands TLS under MX_TLS=require", () =>
    Effect.gen(function* () {
      const options = { settings: { mxTls: "require" }, isAuthenticated: () => false } as const
      assert.deepStrictEqual(yield* serverTls(zoneOf(), options), { tls: "encrypt", tlsa: [] })
      assert.strictEqual((yield* serverTls(zoneOf(), { settings: { mxTls: "require" } })).tls, "dane")
    })
  )
})
