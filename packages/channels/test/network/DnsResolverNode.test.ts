import { assert, describe, it } from "@effect/vitest"
import { DnsResolverNode } from "@switchboard/channels/network/DnsResolverNode"
import { NetworkSettings } from "@switchboard/channels/network/NetworkPolicy"
import { DnsResolver } from "@switchboard/services/network/DnsResolver"
import { Context, Effect, Layer } from "effect"
import { type DnsZone, dnsServer } from "./DnsServer.js"

const txt = (...chunks: ReadonlyArray<string>) => ({ type: "TXT", chunks }) as const
const alias = (target: string) => [{ type: "CNAME", target }] as const

const zone: DnsZone = {
  "chunked.test": [txt("v=DKIM1; k=rsa; p=", "a".repeat(255), "bcd"), txt("another")],
  "mail.test": [
    { type: "MX", priority: 20, exchange: "b.mail.test" },
    { type: "MX", priority: 10, exchange: "A.mail.test" }
  ],
  "zone.test": [
    { type: "NS", target: "ns1.Example.net" },
    { type: "NS", target: "ns2.example.net" }
  ],
  "host.test": [
    { type: "A", address: "192.0.2.1" },
    { type: "A", address: "192.0.2.2" },
    { type: "AAAA", address: "2001:db8::1" }
  ],
  "alias.test": alias("host.test"),
  "1.2.0.192.in-addr.arpa": [{ type: "PTR", target: "Host.test" }],
  "one.test": alias("two.test"),
  "two.test": alias("three.test"),
  "three.test": [txt("at the end"), { type: "MX", priority: 5, exchange: "mx.test" }],
  "whole.test": [{ type: "CNAME", target: "elsewhere.test" }, txt("in one answer")],
  "nowhere.test": alias("unknown.test"),
  "circle.test": alias("elcric.test"),
  "elcric.test": alias("circle.test"),
  "only-text.test": [txt("no mail")],
  "controls.test": [txt("a\0b\x1bc")],
  "broken.test": "SERVFAIL",
  "silent.test": "silence",
  "leads-to-broken.test": alias("broken.test"),
  "changing.test": (earlier) => [txt(earlier === 0 ? "before" : "after")]
}

const resolverOf = (dnsServers: ReadonlyArray<string>, dnsTimeout: "10 seconds" | "100 millis" = "10 seconds") =>
  Effect.map(
    Layer.build(Layer.provide(DnsResolverNode, Layer.succeed(NetworkSettings, { allow: [], dnsServers, dnsTimeout }))),
    Context.get(DnsResolver)
  )

const resolver = Effect.flatMap(dnsServer(zone, 3600), ({ server }) => resolverOf([server]))

describe("DnsResolverNode", () => {
  it.scopedLive("joins the strings of a TXT record", () =>
    Effect.gen(function* () {
      const { txt } = yield* resolver
      assert.deepStrictEqual(yield* txt("chunked.test"), [`v=DKIM1; k=rsa; p=${"a".repeat(255)}bcd`, "another"])
      // Unstorable characters are replaced.
      assert.deepStrictEqual(yield* txt("controls.test"), ["a\uFFFDb\uFFFDc"])
    })
  )

  it.scopedLive("returns MX records by preference, and NS records", () =>
    Effect.gen(function* () {
      const { mx, ns } = yield* resolver
      assert.deepStrictEqual(yield* mx("mail.test"), [
        { exchange: "a.mail.test", priority: 10 },
        { exchange: "b.mail.test", priority: 20 }
      ])
      assert.deepStrictEqual([...(yield* ns("zone.test"))].sort(), ["ns1.example.net", "ns2.example.net"])
    })
  )

  it.scopedLive("returns A, AAAA and PTR records", () =>
    Effect.gen(function* () {
      const { addresses, names } = yield* resolver
      assert.deepStrictEqual(yield* addresses("host.test", 4), ["192.0.2.1", "192.0.2.2"])
      assert.deepStrictEqual(yield* addresses("host.test", 6), ["2001:db8::1"])
      assert.deepStrictEqual(yield* addresses("alias.test", 6), ["2001:db8::1"])
      assert.deepStrictEqual(yield* names("1.2.0.192.in-addr.arpa"), ["host.test"])
      assert.include(yield* Effect.flip(addresses("only-text.test", 4)), { _tag: "DnsAbsent", reason: "NoData" })
      assert.include(yield* Effect.flip(names("2.2.0.192.in-addr.arpa")), { _tag: "DnsAbsent", reason: "NoSuchName" })
    })
  )

  it.scopedLive("returns a CNAME record without following it", () =>
    Effect.gen(function* () {
      const { alias: aliasOf } = yield* resolver
      assert.deepStrictEqual(yield* aliasOf("one.test"), ["two.test"])
      assert.deepStrictEqual(yield* aliasOf("alias.test"), ["host.test"])
      assert.include(yield* Effect.flip(aliasOf("host.test")), { _tag: "DnsAbsent" })
      assert.include(yield* Effect.flip(aliasOf("broken.test")), { _tag: "DnsFailed" })
    })
  )

  it.scopedLive("follows CNAMEs over several answers or in one", () =>
    Effect.gen(function* () {
      const { mx, txt } = yield* resolver
      assert.deepStrictEqual(yield* txt("one.test"), ["at the end"])
      assert.deepStrictEqual(yield* mx("one.test"), [{ exchange: "mx.test", priority: 5 }])
      assert.deepStrictEqual(yield* txt("whole.test"), ["in one answer"])
    })
  )

  it.scopedLive("distinguishes an absent record from a failed query", () =>
    Effect.gen(function* () {
      const { mx, txt } = yield* resolver
      for (const [query, reason] of [
        [Effect.flip(txt("unknown.test")), "NoSuchName"],
        [Effect.flip(mx("only-text.test")), "NoData"],
        [Effect.flip(txt("nowhere.test")), "NoSuchName"],
        [Effect.flip(txt("circle.test")), "NoData"],
        [Effect.flip(txt(`${"a".repeat(64)}.test`)), "NoSuchName"],
        [Effect.flip(txt(`${"a.".repeat(130)}test`)), "NoSuchName"]
      ] as const) {
        assert.include(yield* query, { _tag: "DnsAbsent", reason })
      }
      for (const name of ["broken.test", "leads-to-broken.test"]) {
        const failure = yield* Effect.flip(txt(name))
        assert.strictEqual(failure._tag, "DnsFailed")
        assert.match(failure.message, /TXT broken\.test \(ESERVFAIL\)/)
      }
    })
  )

  it.scopedLive("fails after the timeout if no server answers", () =>
    Effect.gen(function* () {
      const { server } = yield* dnsServer(zone)
      const { txt } = yield* resolverOf([server], "100 millis")
      const failure = yield* Effect.flip(txt("silent.test"))
      assert.strictEqual(failure._tag, "DnsFailed")
      assert.match(failure.message, /TXT silent\.test within 100ms/)
    })
  )

  it.scopedLive("does not cache answers", () =>
    Effect.gen(function* () {
      const { txt } = yield* resolver
      assert.deepStrictEqual([yield* txt("changing.test"), yield* txt("changing.test")], [["before"], ["after"]])
    })
  )

  it.scopedLive("queries the name servers of this machine without DNS_SERVERS", () =>
    Effect.gen(function* () {
      const { txt } = yield* resolverOf([], "100 millis")
      const failure = yield* Effect.flip(txt("unknown.invalid"))
      assert.include(["DnsAbsent", "DnsFailed"], failure._tag)
    })
  )
})
