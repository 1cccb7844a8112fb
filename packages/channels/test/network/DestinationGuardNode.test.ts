import { assert, describe, it } from "@effect/vitest"
import { systemLookup } from "@switchboard/channels/network/HostLookup"
import { Effect } from "effect"
import type { DnsZone } from "./DnsServer.js"
import { guardWith, zoneLookup } from "./Guards.js"
import { forbiddenHosts, loopbackForms, loopbackNames } from "./Urls.js"

const refusal = (url: string, allow: ReadonlyArray<string> = []) =>
  Effect.flatMap(guardWith(allow), (guard) => Effect.flip(guard.checkUrl(url)))

describe("DestinationGuardNode.checkUrl", () => {
  it.scoped("refuses every notation of a forbidden host", () =>
    Effect.gen(function* () {
      // NETWORK_ALLOW is not empty, so http is refused because of the address.
      const { checkUrl } = yield* guardWith(["192.0.2.128/25"])
      for (const url of forbiddenHosts.flatMap((host) => [`https://${host}:8443/hook`, `http://${host}/hook`])) {
        assert.strictEqual((yield* Effect.flip(checkUrl(url)))._tag, "DestinationForbidden", url)
      }
    })
  )

  it.scoped("names the kind of address and the setting in the error", () =>
    Effect.gen(function* () {
      const { message } = yield* refusal("https://0xa9fea9fe/latest/meta-data")
      assert.include(message, "169.254.169.254 is a link-local address")
      assert.include(message, "NETWORK_ALLOW")
    })
  )

  for (const url of [
    ...["", "nonsense", "https://", "//example.com", "https://exa mple.com", "https://256.1.1.1", "https://1.2.3.4.5"],
    ...["ftp://example.com", "file:///etc/passwd", "gopher://example.com", "data:text/plain,x", "javascript:1"],
    ...["https://user@example.com", "https://user:secret@example.com", "https://:secret@example.com"],
    ...["https://[fe80::1%25eth0]/", "https://[::1", "https://127.0.0.1%00.example.com"]
  ]) {
    it.scoped(`refuses the URL ${JSON.stringify(url)}`, () =>
      Effect.gen(function* () {
        const { message } = yield* refusal(url, ["0.0.0.0/0", "::/0"])
        assert.notInclude(message, "secret")
      })
    )
  }

  it.scoped("allows https to a public address or a name, on any port", () =>
    Effect.gen(function* () {
      const { checkUrl } = yield* guardWith([])
      for (const host of [
        "8.8.8.8",
        "[2606:4700:4700::1111]",
        "example.com",
        "example.com.",
        "xn--bcher-kva.example"
      ]) {
        yield* checkUrl(`https://${host}`)
        yield* checkUrl(`https://${host}:1/a?b#c`)
      }
    })
  )

  it.scoped("allows http only if NETWORK_ALLOW can open the destination", () =>
    Effect.gen(function* () {
      assert.include((yield* refusal("http://8.8.8.8")).message, "NETWORK_ALLOW")
      assert.include((yield* refusal("http://example.com")).message, "NETWORK_ALLOW")
      assert.include((yield* refusal("http://8.8.8.8", ["127.0.0.0/8"])).message, "https")
      const { checkUrl } = yield* guardWith(["127.0.0.0/8", "8.8.8.8/32"])
      yield* checkUrl("http://8.8.8.8")
      // Decided when the name is resolved.
      yield* checkUrl("http://example.com")
      for (const host of [...loopbackForms, ...loopbackNames, "[::ffff:127.0.0.1]"]) yield* checkUrl(`http://${host}:1`)
    })
  )
})

const zone: DnsZone = {
  "public.test": [
    { type: "A", address: "8.8.8.8" },
    { type: "AAAA", address: "2001:4860:4860::8888" }
  ],
  "v4.test": [{ type: "A", address: "8.8.4.4" }],
  "loopback.test": [{ type: "A", address: "127.0.0.1" }],
  "half.test": [
    { type: "A", address: "8.8.8.8" },
    { type: "A", address: "127.0.0.1" }
  ],
  "rebinding.test": (earlier) => [{ type: "A", address: earlier === 0 ? "8.8.8.8" : "127.0.0.1" }],
  "broken.test": "SERVFAIL",
  "empty.test": []
}

describe("DestinationGuardNode with host names", () => {
  it.scoped("returns all addresses, IPv6 first, with one lookup", () =>
    Effect.gen(function* () {
      const { hostLookup, queryCount } = yield* zoneLookup(zone)
      const guard = yield* guardWith([], { hostLookup })
      const expected = [
        { address: "2001:4860:4860::8888", family: 6 },
        { address: "8.8.8.8", family: 4 }
      ] as const
      assert.deepStrictEqual(yield* guard.checkedAddresses("public.test"), expected)
      assert.strictEqual(queryCount("public.test"), 1)
      const destination = yield* guard.checkedDestination("https://public.test/a")
      assert.deepStrictEqual(destination.addresses, expected)
      assert.strictEqual(destination.url.href, "https://public.test/a")
      assert.deepStrictEqual(yield* guard.checkedAddresses("v4.test"), [{ address: "8.8.4.4", family: 4 }])
    })
  )

  it.scoped("resolves a name at each attempt, and refuses it when it becomes forbidden", () =>
    Effect.gen(function* () {
      const { checkedAddresses } = yield* guardWith([], yield* zoneLookup(zone))
      assert.deepStrictEqual(yield* checkedAddresses("rebinding.test"), [{ address: "8.8.8.8", family: 4 }])
      assert.strictEqual((yield* Effect.flip(checkedAddresses("rebinding.test")))._tag, "DestinationForbidden")
    })
  )

  it.scoped("allows http only if all addresses are within NETWORK_ALLOW", () =>
    Effect.gen(function* () {
      const { checkedAddresses, checkedDestination } = yield* guardWith(["127.0.0.0/8"], yield* zoneLookup(zone))
      assert.lengthOf((yield* checkedDestination("http://loopback.test")).addresses, 1)
      assert.lengthOf(yield* checkedAddresses("half.test"), 2)
      yield* checkedDestination("https://half.test")
      for (const name of ["half.test", "public.test"]) {
        const { message } = yield* Effect.flip(checkedDestination(`http://${name}`))
        assert.match(message, /https.*NETWORK_ALLOW/)
      }
    })
  )

  it.scoped("resolves localhost to the loopback addresses of NETWORK_ALLOW without a lookup", () =>
    Effect.gen(function* () {
      const { hostLookup, queryCount } = yield* zoneLookup({ localhost: [{ type: "A", address: "8.8.8.8" }] })
      const closed = yield* guardWith([], { hostLookup })
      for (const name of ["localhost", "Localhost.", "a.b.localhost"]) {
        assert.strictEqual((yield* Effect.flip(closed.checkedAddresses(name)))._tag, "DestinationForbidden")
      }
      const v4 = yield* guardWith(["127.0.0.0/8"], { hostLookup })
      assert.deepStrictEqual(yield* v4.checkedAddresses("localhost"), [{ address: "127.0.0.1", family: 4 }])
      const v6 = yield* guardWith(["::1/128"], { hostLookup })
      assert.deepStrictEqual(yield* v6.checkedAddresses("a.localhost"), [{ address: "::1", family: 6 }])
      assert.strictEqual(queryCount("localhost"), 0)
    })
  )

  it.scoped("distinguishes a name without addresses from a failed lookup", () =>
    Effect.gen(function* () {
      const { checkedAddresses } = yield* guardWith([], yield* zoneLookup(zone))
      for (const [name, reason] of [
        ["empty.test", "NoSuchHost"],
        ["unknown.test", "NoSuchHost"],
        ["broken.test", "NoAnswer"]
      ] as const) {
        const failure = yield* Effect.flip(checkedAddresses(name))
        assert.include(failure, { _tag: "HostUnresolved", reason })
        assert.include(failure.message, name)
      }
    })
  )

  it.scoped("accepts an IP literal with or without brackets", () =>
    Effect.gen(function* () {
      const { checkedAddresses } = yield* guardWith([])
      assert.deepStrictEqual(yield* checkedAddresses("[2606:4700::1]"), [{ address: "2606:4700::1", family: 6 }])
      for (const host of ["127.0.0.1", "[::1]", "::1", "fe80::1%lo"]) {
        assert.strictEqual((yield* Effect.flip(checkedAddresses(host)))._tag, "DestinationForbidden")
      }
    })
  )

  it.scopedLive("checks hosts that only the system's resolver converts to an address", () =>
    Effect.gen(function* () {
      const system = yield* guardWith([], { hostLookup: systemLookup })
      const usual = yield* guardWith([])
      for (const host of ["127.1", "0x7f000001", "2130706433"]) {
        assert.strictEqual((yield* Effect.flip(system.checkedAddresses(host)))._tag, "DestinationForbidden")
        yield* Effect.flip(usual.checkedAddresses(host))
      }
    })
  )
})
